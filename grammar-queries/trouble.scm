; What did not parse.
(ERROR) @error
(MISSING) @missing

; What parses, but hides control flow or scopes that the scope tree does not describe.
((compound_statement) @statement_expression
  (#set! inside "parenthesized_expression argument_list parameter_list"))
((function_definition) @nested_function (#set! inside "compound_statement"))
[(seh_try_statement) (seh_leave_statement)] @structured_exception
([(preproc_if) (preproc_ifdef) (preproc_call) (preproc_def)] @leftover_directive
  (#set! inside "compound_statement"))

; `NAME(x) y = 1;` may declare `y` with a type made by a macro, or be a statement macro followed by an assignment.
((macro_type_specifier) @macro_type (#set! inside "declaration"))
