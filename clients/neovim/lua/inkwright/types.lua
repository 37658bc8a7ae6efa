---@meta
-- What goes over the wire, as the server's contract names it.

---@class inkwright.Finding
---@field code string
---@field message string

---@class inkwright.Hunk
---@field index integer
---@field range lsp.Range where the text stands now
---@field before string
---@field after string
---@field findings inkwright.Finding[]
---@field stale? boolean its text is not in the document any more

---@class inkwright.Proposal
---@field id string
---@field uri string
---@field version? integer
---@field text string
---@field hunks inkwright.Hunk[]

---@class inkwright.Error
---@field code string
---@field message string

---@class inkwright.Result
---@field requestId string
---@field ability string
---@field status 'completed'|'partial'|'failed'|'cancelled'
---@field stopReason string
---@field model string
---@field text string
---@field proposal? inkwright.Proposal
---@field usage { input: integer, output: integer, cost?: number }
---@field error? inkwright.Error

---@class inkwright.Verdict
---@field applied integer[]
---@field stale integer[]
---@field rejected integer[]

---@class inkwright.Wish
---@field ability string
---@field uri string
---@field range? lsp.Range
---@field message? string
---@field model? string
---@field follow? string
---@field requestId? string
---@field streamToken? string

---@class inkwright.Options
---@field cmd? string[] the server's command; default { 'inkwright', 'lsp' }
---@field locale? 'zh'|'en'|'' the language of the plugin's texts; '' takes Neovim's
---@field live? boolean show a run's text in a split while it comes
---@field live_height? integer lines of that split
---@field review? 'diff'|'none' what happens when a proposal has come
---@field settings? table the server's settings (section "inkwright")
