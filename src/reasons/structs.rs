//! Members of structs.

use super::reasons;

reasons! {
    /// Why a member of a struct cannot stay on the device, alone or with others.
    Structs {
        MemberByHand "member-by-hand"
            "another member of its struct is managed by hand here"
            => "";
        NoMember "no-member-here"
            "no kernel here maps a member of it"
            => "";
        MembersTogether "members-together"
            "other members of its struct stay on the device together here"
            => "";
        NotTheSame { path: String } "member-changes"
            "`{path}` is not the same where the residency would end"
            => "Do not assign to the struct's pointers between kernels.";
        UsesMore { root: String, what: String } "struct-used-more"
            "a kernel here uses more of the struct that `{root}` leads to: {what}"
            => "Copy what else the kernel uses of the struct to local variables first.";
        NotOneArray { name: String } "member-not-one-array"
            "`{name}` is not the same array, of the same struct, all the time here"
            => "Do not assign to the struct's pointers between kernels.";
        UsedMoreInCall { callee: String, root: String } "struct-used-more-in-call"
            "kernels of `{callee}`, called here, may use more of the struct that `{root}` leads to"
            => "";
        DirectiveMaps { root: String } "struct-part-by-hand"
            "a data directive may map a part of the struct that `{root}` leads to"
            => "";
        NumberCopied { number: String } "number-copied"
            "`{number}` would be copied too, which kernels here do only if they run"
            => "Copy the number to a local variable first.";
        PartPresent { root: String } "struct-part-present"
            "a part of the struct that `{root}` leads to may be on the device already when the function is called"
            => "";
        LeftBehind { name: String } "struct-part-left"
            "mapping `{name}`, behind a pointer of another struct, would leave a part of its struct on the device"
            => "Copy the pointer to a local variable first.";
        PlaceUnknown { name: String } "member-place-unknown"
            "where `{name}` lies is not known"
            => "";
        KernelUsesMore { name: String } "struct-in-kernel"
            "mapping `{name}` maps a part of a struct of which a kernel here uses more"
            => "Copy the pointer to a local variable first.";
        MapsPart { name: String } "struct-mapped-by-hand"
            "mapping `{name}` maps a part of a struct of which a data directive maps another"
            => "Copy the pointer to a local variable first.";
        UsedInCall { name: String, callee: String } "struct-in-call"
            "mapping `{name}` maps a part of a struct that kernels of `{callee}`, called here, use"
            => "Copy the pointer to a local variable first.";
    }
}
