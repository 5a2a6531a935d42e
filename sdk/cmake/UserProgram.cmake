# simbatch_add_user_program(<name> <sources>...): a user program <name>.so for Simbatch, with the flags that its determinism
# asks for (docs/programs.md gives the reason for each).
function(simbatch_add_user_program name)
  add_library(${name} MODULE ${ARGN})
  target_link_libraries(${name} PRIVATE simbatch::program)
  target_compile_options(${name} PRIVATE -ffp-contract=off
    $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fno-gnu-unique>)
  target_link_options(${name} PRIVATE -Wl,-u,simbatch_program_bind -Wl,-Bsymbolic -Wl,--no-undefined)
  # main is the entry point: it must be visible.
  set_target_properties(${name} PROPERTIES PREFIX "" SUFFIX ".so" C_VISIBILITY_PRESET default CXX_VISIBILITY_PRESET default)
endfunction()
