; Every statement node. The capture's name says what to make of it; its parts are read through the node's fields.
(compound_statement) @block
(if_statement) @if
(for_statement) @for
(while_statement) @while
(do_statement) @do
(switch_statement) @switch
(case_statement) @case
(labeled_statement) @label
(goto_statement) @goto
(break_statement) @break
(continue_statement) @continue
(return_statement) @return
(expression_statement) @expression
(declaration) @declaration
(type_definition) @typedef

; `struct s { … };` alone is not a `declaration` in this grammar.
(compound_statement
  [(struct_specifier) (union_specifier) (enum_specifier)] @bare_type)

; Found above too, but no statements of their own: the braces of GNU statement expressions.
(parenthesized_expression (compound_statement) @closed)
(argument_list (compound_statement) @closed)
(parameter_list (compound_statement) @closed)
