" The documents of a novelWriter project.
autocmd BufRead,BufNewFile */content/*.nwd setfiletype markdown
