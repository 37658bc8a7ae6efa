-- The groups that the plugin's own marks are drawn with: links to groups that every colour scheme has. A
-- scheme's or a writer's own definition comes first.
local M = {}

M.GROUPS = {
  InkwrightOld = 'DiffDelete', -- the text that a hunk takes away
  InkwrightStruck = '@markup.strikethrough', -- drawn over it
  InkwrightNew = 'DiffAdd', -- the text that it brings
  InkwrightHunk = 'DiffText', -- a hunk in the review's right window
  InkwrightFinding = 'DiagnosticVirtualTextWarn', -- what it loses or changes
}

for group, link in pairs(M.GROUPS) do
  vim.api.nvim_set_hl(0, group, { link = link, default = true })
end

return M
