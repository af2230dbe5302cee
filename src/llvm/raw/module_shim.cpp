// What LLVM's C interface does not tell of a module, or tells differently from version to version, for `module_shim.rs`.

#include "llvm-c/Core.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/Instruction.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/ModRef.h"

using namespace llvm;

extern "C" {

/// Tells `take` of each variable that is declared in front of an instruction: its address (null where it has none any more), its description
/// and where it is declared (null where nobody knows).
void ompmemopt_declarations(LLVMValueRef instruction,
                            void (*take)(void *to, LLVMValueRef address, LLVMMetadataRef variable, LLVMMetadataRef location),
                            void *to) {
    for (DbgVariableRecord &record : filterDbgVars(unwrap<Instruction>(instruction)->getDbgRecordRange()))
        if (record.isDbgDeclare())
            take(to, wrap(record.getVariableLocationOp(0)), wrap(record.getVariable()),
                 wrap(static_cast<Metadata *>(record.getDebugLoc().getAsMDNode())));
}

/// The constant of a case; null where there are not so many.
LLVMValueRef ompmemopt_switch_case(LLVMValueRef instruction, unsigned at) {
    auto *choice = unwrap<SwitchInst>(instruction);
    if (at >= choice->getNumCases())
        return nullptr;
    return wrap(static_cast<Value *>((choice->case_begin() + at)->getCaseValue()));
}

/// Of a function with this value of the attribute `memory`, as a sum: 1 where it writes nowhere, 2 where it reads and writes only what its
/// arguments point to and what the program cannot see.
unsigned ompmemopt_memory(uint64_t attribute) {
    MemoryEffects effects = MemoryEffects::createFromIntValue(static_cast<uint32_t>(attribute));
    return (effects.onlyReadsMemory() ? 1 : 0) | (effects.onlyAccessesInaccessibleOrArgMem() ? 2 : 0);
}

/// What a derived or composite type is made of; null where there is nothing.
LLVMMetadataRef ompmemopt_base_type(LLVMMetadataRef type) {
    auto *node = unwrap(type);
    if (auto *derived = dyn_cast<DIDerivedType>(node))
        return wrap(derived->getRawBaseType());
    if (auto *composite = dyn_cast<DICompositeType>(node))
        return wrap(composite->getRawBaseType());
    return nullptr;
}

/// The list of a composite type's members or subranges; null where there is none.
LLVMMetadataRef ompmemopt_elements(LLVMMetadataRef type) {
    auto *composite = dyn_cast<DICompositeType>(unwrap(type));
    return composite ? wrap(composite->getRawElements()) : nullptr;
}
}
