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

---@class inkwright.Listed a proposal whose texts are known
---@field id string
---@field uri string
---@field version? integer
---@field places integer[] five for each hunk: index, lines below the start of the one before, character, lines, character
---@field stale integer[] indices of hunks whose text is not in the document any more

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
---@field usage inkwright.Usage
---@field error? inkwright.Error
---@field pipeline? string of a pipeline's run, as are the next two
---@field steps? inkwright.Step[]
---@field cards? string[] paths within the book
---@field candidates? string[] ids

---@class inkwright.Usage
---@field input integer tokens
---@field output integer tokens
---@field cost? number
---@field currency? string
---@field estimated? boolean

---@class inkwright.Step a step of a pipeline on one batch of the chapter
---@field name string
---@field status 'completed'|'partial'|'failed'|'cancelled'|'pending'
---@field text string
---@field batch integer

---@class inkwright.StoredRun
---@field requestId string
---@field ability string
---@field label string what its ability or pipeline is called
---@field status string
---@field message string
---@field uri string
---@field path string
---@field text string
---@field error? inkwright.Error why it did not come to its end
---@field createdAt string
---@field pipeline? string

---@class inkwright.Candidate a card, or a fact of one, that waits for the writer
---@field id string
---@field kind 'card'|'fact'
---@field state 'pending'|'accepted'|'rejected'
---@field uri? string of a fact: the chapter that its quotation stands in
---@field range? lsp.Range where it stands there
---@field against? string what the card says to the contrary
---@field type string
---@field title string
---@field content string
---@field tags string[]
---@field quote string
---@field source string
---@field chapter string

---@class inkwright.Memory
---@field id string
---@field ability string '' for all abilities
---@field type 'preference'|'decision'|'lesson'
---@field content string
---@field pinned boolean
---@field revision integer

---@class inkwright.Hit a line that a search found
---@field kind 'chapter'|'card'|'memory'
---@field line integer
---@field range? lsp.Range
---@field text string the line, or what is remembered
---@field uri? string of chapters and cards

---@class inkwright.Profile
---@field id string
---@field kind 'ability'|'domain'
---@field label string
---@field description string
---@field output 'edit'|'insert'|'report'|'cards'|'summary'
---@field scope 'selection'|'scene'|'chapter'|'book'
---@field mode 'react'|'pipeline'|'single'
---@field pipeline? string of a domain
---@field quickActions { label: string, message: string }[]

---@class inkwright.Verdict
---@field applied integer[]
---@field stale integer[]
---@field rejected integer[]

---@class inkwright.Wish
---@field ability? string none for a pipeline
---@field uri string
---@field pipeline? string nil for that of the book's own kind
---@field resume? string the pipeline's run to go on from
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
---@field review? 'diff'|'none' what opens when a proposal has come
---@field inline? boolean show the hunks that wait within the chapter
---@field highlights? boolean link what the server names in the text to groups of the colour scheme
---@field prose? boolean|inkwright.Prose window options for chapters; false leaves the windows alone
---@field goal? integer how much is to be written in a day, by the book's own count; 0 for no goal
---@field settings? table the server's settings (section "inkwright")

---@class inkwright.Prose
---@field wrap? boolean
---@field linebreak? boolean
---@field breakindent? boolean
---@field spell? boolean
---@field conceallevel? integer
