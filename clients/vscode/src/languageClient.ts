/** The language client's library in a file of its own: it is read when a server is started, not before. */

import { LanguageClient } from 'vscode-languageclient/node';

export {
  CloseAction,
  ErrorAction,
  ProgressType,
  State,
  Trace,
  WorkDoneProgress,
} from 'vscode-languageclient/node';

/**
 * A client that leaves it to us to say that a server did not start or ended, and that says nothing of a notification
 * which a server on its way out did not hear: nobody can do anything about it. In the log all of it stands.
 */
export class Client extends LanguageClient {
  override error(message: string, data?: unknown, show: boolean | 'force' = true): void {
    super.error(message, data, show === 'force' || message.startsWith('Sending notification') ? false : show);
  }
}
