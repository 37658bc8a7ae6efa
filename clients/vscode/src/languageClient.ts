/** The language client's library in a file of its own: it is read when a server is started, not before. */

export {
  CloseAction,
  ErrorAction,
  ExecuteCommandRequest,
  LanguageClient,
  ProgressType,
  State,
  Trace,
  WorkDoneProgress,
  WorkDoneProgressCancelNotification,
} from 'vscode-languageclient/node';
