; What did not parse.
(ERROR) @error
(MISSING) @missing

; What parses, but hides control flow or scopes that the scope tree does not describe.
(parenthesized_expression (compound_statement) @statement_expression)
(argument_list (compound_statement) @statement_expression)
(parameter_list (compound_statement) @statement_expression)
(compound_statement (function_definition) @nested_function)
[(seh_try_statement) (seh_leave_statement)] @structured_exception
(compound_statement [(preproc_if) (preproc_ifdef) (preproc_call) (preproc_def)] @leftover_directive)

; `NAME(x) y = 1;` may declare `y` with a type made by a macro, or be a statement macro followed by an assignment.
(declaration (macro_type_specifier name: (identifier) @macro_type))
