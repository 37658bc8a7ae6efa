/** What stands between the server and the editor. */

import * as vscode from 'vscode';
import type { LanguageClient, Middleware, vsdiag } from 'vscode-languageclient/node';
import type { Focus } from './focus';
import type { Progress } from './progress';
import { SECTION } from './protocol';
import * as settings from './settings';

/** Called for a command of the server's that the editor runs (a lens, a code action); undefined: not ours. */
export type Intercept = (command: string, argument: unknown) => Promise<unknown> | undefined;

/** The features whose answers are held back in focus mode. */
const AIDS = ['textDocument/codeLens', 'textDocument/inlayHint', 'textDocument/semanticTokens', 'textDocument/diagnostic'] as const;

/** Diagnostics that a server told unasked while nobody wanted to see them. */
type Held = Map<string, vscode.Diagnostic[]>;

export class Between {
  private readonly held: Held = new Map();

  /** `rests`: a document whose lenses stand elsewhere. */
  constructor(
    private readonly intercept: Intercept,
    private readonly rests: (document: vscode.Uri) => boolean,
    private readonly focus: Focus,
    private readonly progress: Progress,
  ) {}

  middleware(client: () => LanguageClient | undefined): Middleware {
    const alone = (): boolean => this.focus.on;
    return {
      handleWorkDoneProgress: this.progress.handle,
      provideCodeLenses: (document, token, next) => (alone() || this.rests(document.uri) ? [] : next(document, token)),
      provideInlayHints: (document, range, token, next) => (alone() ? [] : next(document, range, token)),
      provideDocumentSemanticTokens: (document, token, next) => (alone() ? NONE : next(document, token)),
      provideDocumentSemanticTokensEdits: (document, previous, token, next) =>
        alone() ? NONE : next(document, previous, token),
      provideDocumentRangeSemanticTokens: (document, range, token, next) =>
        alone() ? NONE : next(document, range, token),
      provideDocumentHighlights: (document, position, token, next) => (alone() ? [] : next(document, position, token)),
      // What the writer asks for is there all the same; a bulb by itself is not.
      provideCodeActions: (document, range, context, token, next) =>
        alone() && context.triggerKind === vscode.CodeActionTriggerKind.Automatic
          ? []
          : next(document, range, context, token),
      handleDiagnostics: (uri, diagnostics, next) => {
        if (alone()) this.held.set(uri.toString(), named(diagnostics));
        next(uri, alone() ? [] : named(diagnostics));
      },
      provideDiagnostics: async (document, previous, token, next) => {
        if (alone()) return EMPTY;
        const report = await next(document, previous, token);
        if (report && 'items' in report) named(report.items);
        return report;
      },
      provideWorkspaceDiagnostics: (results, token, report, next) => {
        if (!alone()) {
          return next(results, token, (part) => {
            for (const one of part?.items ?? []) if ('items' in one) named(one.items);
            report(part);
          });
        }
        // What is known of is taken back; without a result id the next answer is whole again.
        report({ items: results.map(({ uri }) => ({ ...EMPTY, uri, version: null })) });
        return { items: [] };
      },
      executeCommand: (command, args: unknown[], next): unknown =>
        this.intercept(command, args[0]) ?? next(command, args),
      workspace: {
        configuration: (params): unknown[] =>
          params.items.map((item) =>
            item.section === SECTION
              ? settings.forServer(item.scopeUri ? vscode.Uri.parse(item.scopeUri) : undefined)
              : null,
          ),
        didChangeConfiguration: async () => {
          await client()?.sendNotification('workspace/didChangeConfiguration', {
            settings: { [SECTION]: settings.forServer() },
          });
        },
      },
    };
  }

  /** The editor asks for everything anew. */
  refresh(client: LanguageClient | undefined): void {
    if (!client) return;
    for (const document of vscode.workspace.textDocuments) {
      client.getFeature(AIDS[0]).getProvider(document)?.onDidChangeCodeLensEmitter.fire();
      client.getFeature(AIDS[1]).getProvider(document)?.onDidChangeInlayHints.fire();
      client.getFeature(AIDS[2]).getProvider(document)?.onDidChangeSemanticTokensEmitter.fire();
      client.getFeature(AIDS[3]).getProvider(document)?.onDidChangeDiagnosticsEmitter.fire();
    }
    const collection = client.diagnostics;
    if (this.focus.on) {
      collection?.forEach((uri, diagnostics) => this.held.set(uri.toString(), [...diagnostics]));
      collection?.clear();
    } else {
      for (const [uri, diagnostics] of this.held) collection?.set(vscode.Uri.parse(uri), diagnostics);
      this.held.clear();
    }
  }
}

/** Each says who found it by the name that the writer knows. */
function named(diagnostics: vscode.Diagnostic[]): vscode.Diagnostic[] {
  for (const one of diagnostics) one.source = vscode.l10n.t('Inkwright');
  return diagnostics;
}

const NONE = new vscode.SemanticTokens(new Uint32Array());
/** The library's own word, which is not read for it. */
const FULL = 'full' as unknown as vsdiag.DocumentDiagnosticReportKind.full;
const EMPTY = { kind: FULL, items: [] };
