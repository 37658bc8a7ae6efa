/** What a row's buttons and its menu do; each is a command `inkwrightClient.row.<name>`. */
export const ROW_ACTS = [
  'answer',
  'cancel',
  'context',
  'delete',
  'edit',
  'follow',
  'journal',
  'pin',
  'pipeline',
  'resume',
  'unpin',
] as const;

export type RowAct = (typeof ROW_ACTS)[number];
