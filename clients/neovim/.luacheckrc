std = 'luajit'
read_globals = { 'vim' }
globals = { 'vim.g', 'vim.b', 'vim.w', 'vim.o', 'vim.bo', 'vim.wo', 'vim.opt' }
max_line_length = 140
codes = true
files['lua/inkwright/texts'] = { max_line_length = false }
