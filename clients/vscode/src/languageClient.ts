/** The language client's library in a file of its own: it is read when a server is started, not before. */

import { LanguageClient } from 'vscode-languageclient/node';
import { isCut } from './cut';

export {
  CloseAction,
  ErrorAction,
  ProgressType,
  State,
  Trace,
  WorkDoneProgress,
} from 'vscode-languageclient/node';

/**
 * A client that leaves it to us to say that a server did not start or ended, and that says nothing of what a server on
 * its way out did not hear: nobody can do anything about it, and a message with a button stays. In the log all of it
 * stands.
 */
export class Client extends LanguageClient {
  override error(message: string, data?: unknown, show: boolean | 'force' = true): void {
    const unheard = message.startsWith('Sending ') || isCut(data);
    super.error(message, data, show === 'force' || unheard ? false : show);
  }
}
