# Filled in with the programs: man pages, completions, CPack.
