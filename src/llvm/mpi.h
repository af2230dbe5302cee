/*
 * Stand-in for mpi.h (MPI-3.1, C), for analysis only: where no MPI is installed, clang reads this instead.
 * Nothing here is ever linked. A predefined handle is the address of an object of its own, so in the IR a
 * communicator, datatype or operator is a name; a null handle is a null pointer. Values of constants are
 * this header's own. Not here: the profiling names (PMPI_) and the tools interface (MPI_T_).
 */
#ifndef OMPMEMOPT_MPI_H
#define OMPMEMOPT_MPI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MPI_VERSION 3
#define MPI_SUBVERSION 1

/* Types */
typedef struct ompmemopt_mpi_comm *MPI_Comm;
typedef struct ompmemopt_mpi_datatype *MPI_Datatype;
typedef struct ompmemopt_mpi_op *MPI_Op;
typedef struct ompmemopt_mpi_group *MPI_Group;
typedef struct ompmemopt_mpi_win *MPI_Win;
typedef struct ompmemopt_mpi_file *MPI_File;
typedef struct ompmemopt_mpi_info *MPI_Info;
typedef struct ompmemopt_mpi_errhandler *MPI_Errhandler;
typedef struct ompmemopt_mpi_message *MPI_Message;
typedef struct ompmemopt_mpi_request *MPI_Request;
typedef intptr_t MPI_Aint;
typedef long long MPI_Offset;
typedef long long MPI_Count;
typedef int MPI_Fint;
typedef struct ompmemopt_mpi_status {
    int MPI_SOURCE;
    int MPI_TAG;
    int MPI_ERROR;
    int ompmemopt_cancelled;
    MPI_Count ompmemopt_count;
} MPI_Status;

/* Callbacks */
typedef void MPI_User_function(void *, void *, int *, MPI_Datatype *);
typedef void MPI_Comm_errhandler_function(MPI_Comm *, int *, ...);
typedef void MPI_File_errhandler_function(MPI_File *, int *, ...);
typedef void MPI_Win_errhandler_function(MPI_Win *, int *, ...);
typedef MPI_Comm_errhandler_function MPI_Comm_errhandler_fn;
typedef MPI_File_errhandler_function MPI_File_errhandler_fn;
typedef MPI_Win_errhandler_function MPI_Win_errhandler_fn;
typedef MPI_Comm_errhandler_function MPI_Handler_function;
typedef int MPI_Comm_copy_attr_function(MPI_Comm, int, void *, void *, void *, int *);
typedef int MPI_Comm_delete_attr_function(MPI_Comm, int, void *, void *);
typedef int MPI_Type_copy_attr_function(MPI_Datatype, int, void *, void *, void *, int *);
typedef int MPI_Type_delete_attr_function(MPI_Datatype, int, void *, void *);
typedef int MPI_Win_copy_attr_function(MPI_Win, int, void *, void *, void *, int *);
typedef int MPI_Win_delete_attr_function(MPI_Win, int, void *, void *);
typedef MPI_Comm_copy_attr_function MPI_Copy_function;
typedef MPI_Comm_delete_attr_function MPI_Delete_function;
typedef int MPI_Grequest_query_function(void *, MPI_Status *);
typedef int MPI_Grequest_free_function(void *);
typedef int MPI_Grequest_cancel_function(void *, int);
typedef int MPI_Datarep_extent_function(MPI_Datatype, MPI_Aint *, void *);
typedef int MPI_Datarep_conversion_function(void *, MPI_Datatype, int, void *, MPI_Offset, void *);

/* Communicators */
extern struct ompmemopt_mpi_comm ompmemopt_mpi_comm_world, ompmemopt_mpi_comm_self;
#define MPI_COMM_WORLD (&ompmemopt_mpi_comm_world)
#define MPI_COMM_SELF (&ompmemopt_mpi_comm_self)
#define MPI_COMM_NULL ((MPI_Comm)0)

/* Groups */
extern struct ompmemopt_mpi_group ompmemopt_mpi_group_empty;
#define MPI_GROUP_EMPTY (&ompmemopt_mpi_group_empty)
#define MPI_GROUP_NULL ((MPI_Group)0)

/* Error handlers */
extern struct ompmemopt_mpi_errhandler ompmemopt_mpi_errors_are_fatal, ompmemopt_mpi_errors_return;
#define MPI_ERRORS_ARE_FATAL (&ompmemopt_mpi_errors_are_fatal)
#define MPI_ERRORS_RETURN (&ompmemopt_mpi_errors_return)
#define MPI_ERRHANDLER_NULL ((MPI_Errhandler)0)

/* Info */
extern struct ompmemopt_mpi_info ompmemopt_mpi_info_env;
#define MPI_INFO_ENV (&ompmemopt_mpi_info_env)
#define MPI_INFO_NULL ((MPI_Info)0)

/* Messages */
extern struct ompmemopt_mpi_message ompmemopt_mpi_message_no_proc;
#define MPI_MESSAGE_NO_PROC (&ompmemopt_mpi_message_no_proc)
#define MPI_MESSAGE_NULL ((MPI_Message)0)

/* Other null handles */
#define MPI_REQUEST_NULL ((MPI_Request)0)
#define MPI_WIN_NULL ((MPI_Win)0)
#define MPI_FILE_NULL ((MPI_File)0)
#define MPI_OP_NULL ((MPI_Op)0)
#define MPI_DATATYPE_NULL ((MPI_Datatype)0)

/* Operators */
extern struct ompmemopt_mpi_op ompmemopt_mpi_max, ompmemopt_mpi_min, ompmemopt_mpi_sum, ompmemopt_mpi_prod,
    ompmemopt_mpi_land, ompmemopt_mpi_band, ompmemopt_mpi_lor, ompmemopt_mpi_bor, ompmemopt_mpi_lxor,
    ompmemopt_mpi_bxor, ompmemopt_mpi_minloc, ompmemopt_mpi_maxloc, ompmemopt_mpi_replace,
    ompmemopt_mpi_no_op;
#define MPI_MAX (&ompmemopt_mpi_max)
#define MPI_MIN (&ompmemopt_mpi_min)
#define MPI_SUM (&ompmemopt_mpi_sum)
#define MPI_PROD (&ompmemopt_mpi_prod)
#define MPI_LAND (&ompmemopt_mpi_land)
#define MPI_BAND (&ompmemopt_mpi_band)
#define MPI_LOR (&ompmemopt_mpi_lor)
#define MPI_BOR (&ompmemopt_mpi_bor)
#define MPI_LXOR (&ompmemopt_mpi_lxor)
#define MPI_BXOR (&ompmemopt_mpi_bxor)
#define MPI_MINLOC (&ompmemopt_mpi_minloc)
#define MPI_MAXLOC (&ompmemopt_mpi_maxloc)
#define MPI_REPLACE (&ompmemopt_mpi_replace)
#define MPI_NO_OP (&ompmemopt_mpi_no_op)

/* Datatypes of C */
extern struct ompmemopt_mpi_datatype ompmemopt_mpi_char, ompmemopt_mpi_signed_char,
    ompmemopt_mpi_unsigned_char, ompmemopt_mpi_wchar, ompmemopt_mpi_short, ompmemopt_mpi_unsigned_short,
    ompmemopt_mpi_int, ompmemopt_mpi_unsigned, ompmemopt_mpi_long, ompmemopt_mpi_unsigned_long,
    ompmemopt_mpi_long_long_int, ompmemopt_mpi_unsigned_long_long, ompmemopt_mpi_float, ompmemopt_mpi_double,
    ompmemopt_mpi_long_double, ompmemopt_mpi_byte, ompmemopt_mpi_packed, ompmemopt_mpi_c_bool,
    ompmemopt_mpi_int8_t, ompmemopt_mpi_int16_t, ompmemopt_mpi_int32_t, ompmemopt_mpi_int64_t,
    ompmemopt_mpi_uint8_t, ompmemopt_mpi_uint16_t, ompmemopt_mpi_uint32_t, ompmemopt_mpi_uint64_t,
    ompmemopt_mpi_c_float_complex, ompmemopt_mpi_c_double_complex, ompmemopt_mpi_c_long_double_complex,
    ompmemopt_mpi_aint, ompmemopt_mpi_offset, ompmemopt_mpi_count;
#define MPI_CHAR (&ompmemopt_mpi_char)
#define MPI_SIGNED_CHAR (&ompmemopt_mpi_signed_char)
#define MPI_UNSIGNED_CHAR (&ompmemopt_mpi_unsigned_char)
#define MPI_WCHAR (&ompmemopt_mpi_wchar)
#define MPI_SHORT (&ompmemopt_mpi_short)
#define MPI_UNSIGNED_SHORT (&ompmemopt_mpi_unsigned_short)
#define MPI_INT (&ompmemopt_mpi_int)
#define MPI_UNSIGNED (&ompmemopt_mpi_unsigned)
#define MPI_LONG (&ompmemopt_mpi_long)
#define MPI_UNSIGNED_LONG (&ompmemopt_mpi_unsigned_long)
#define MPI_LONG_LONG_INT (&ompmemopt_mpi_long_long_int)
#define MPI_UNSIGNED_LONG_LONG (&ompmemopt_mpi_unsigned_long_long)
#define MPI_FLOAT (&ompmemopt_mpi_float)
#define MPI_DOUBLE (&ompmemopt_mpi_double)
#define MPI_LONG_DOUBLE (&ompmemopt_mpi_long_double)
#define MPI_BYTE (&ompmemopt_mpi_byte)
#define MPI_PACKED (&ompmemopt_mpi_packed)
#define MPI_C_BOOL (&ompmemopt_mpi_c_bool)
#define MPI_INT8_T (&ompmemopt_mpi_int8_t)
#define MPI_INT16_T (&ompmemopt_mpi_int16_t)
#define MPI_INT32_T (&ompmemopt_mpi_int32_t)
#define MPI_INT64_T (&ompmemopt_mpi_int64_t)
#define MPI_UINT8_T (&ompmemopt_mpi_uint8_t)
#define MPI_UINT16_T (&ompmemopt_mpi_uint16_t)
#define MPI_UINT32_T (&ompmemopt_mpi_uint32_t)
#define MPI_UINT64_T (&ompmemopt_mpi_uint64_t)
#define MPI_C_FLOAT_COMPLEX (&ompmemopt_mpi_c_float_complex)
#define MPI_C_DOUBLE_COMPLEX (&ompmemopt_mpi_c_double_complex)
#define MPI_C_LONG_DOUBLE_COMPLEX (&ompmemopt_mpi_c_long_double_complex)
#define MPI_AINT (&ompmemopt_mpi_aint)
#define MPI_OFFSET (&ompmemopt_mpi_offset)
#define MPI_COUNT (&ompmemopt_mpi_count)
#define MPI_LONG_LONG MPI_LONG_LONG_INT
#define MPI_C_COMPLEX MPI_C_FLOAT_COMPLEX

/* Datatypes of C++ */
extern struct ompmemopt_mpi_datatype ompmemopt_mpi_cxx_bool, ompmemopt_mpi_cxx_float_complex,
    ompmemopt_mpi_cxx_double_complex, ompmemopt_mpi_cxx_long_double_complex;
#define MPI_CXX_BOOL (&ompmemopt_mpi_cxx_bool)
#define MPI_CXX_FLOAT_COMPLEX (&ompmemopt_mpi_cxx_float_complex)
#define MPI_CXX_DOUBLE_COMPLEX (&ompmemopt_mpi_cxx_double_complex)
#define MPI_CXX_LONG_DOUBLE_COMPLEX (&ompmemopt_mpi_cxx_long_double_complex)

/* Pairs for MPI_MINLOC and MPI_MAXLOC */
extern struct ompmemopt_mpi_datatype ompmemopt_mpi_float_int, ompmemopt_mpi_double_int,
    ompmemopt_mpi_long_int, ompmemopt_mpi_2int, ompmemopt_mpi_short_int, ompmemopt_mpi_long_double_int,
    ompmemopt_mpi_2real, ompmemopt_mpi_2double_precision, ompmemopt_mpi_2integer;
#define MPI_FLOAT_INT (&ompmemopt_mpi_float_int)
#define MPI_DOUBLE_INT (&ompmemopt_mpi_double_int)
#define MPI_LONG_INT (&ompmemopt_mpi_long_int)
#define MPI_2INT (&ompmemopt_mpi_2int)
#define MPI_SHORT_INT (&ompmemopt_mpi_short_int)
#define MPI_LONG_DOUBLE_INT (&ompmemopt_mpi_long_double_int)
#define MPI_2REAL (&ompmemopt_mpi_2real)
#define MPI_2DOUBLE_PRECISION (&ompmemopt_mpi_2double_precision)
#define MPI_2INTEGER (&ompmemopt_mpi_2integer)

/* Datatypes of Fortran */
extern struct ompmemopt_mpi_datatype ompmemopt_mpi_integer, ompmemopt_mpi_real,
    ompmemopt_mpi_double_precision, ompmemopt_mpi_complex, ompmemopt_mpi_double_complex,
    ompmemopt_mpi_logical, ompmemopt_mpi_character, ompmemopt_mpi_integer1, ompmemopt_mpi_integer2,
    ompmemopt_mpi_integer4, ompmemopt_mpi_integer8, ompmemopt_mpi_integer16, ompmemopt_mpi_real2,
    ompmemopt_mpi_real4, ompmemopt_mpi_real8, ompmemopt_mpi_real16, ompmemopt_mpi_complex4,
    ompmemopt_mpi_complex8, ompmemopt_mpi_complex16, ompmemopt_mpi_complex32;
#define MPI_INTEGER (&ompmemopt_mpi_integer)
#define MPI_REAL (&ompmemopt_mpi_real)
#define MPI_DOUBLE_PRECISION (&ompmemopt_mpi_double_precision)
#define MPI_COMPLEX (&ompmemopt_mpi_complex)
#define MPI_DOUBLE_COMPLEX (&ompmemopt_mpi_double_complex)
#define MPI_LOGICAL (&ompmemopt_mpi_logical)
#define MPI_CHARACTER (&ompmemopt_mpi_character)
#define MPI_INTEGER1 (&ompmemopt_mpi_integer1)
#define MPI_INTEGER2 (&ompmemopt_mpi_integer2)
#define MPI_INTEGER4 (&ompmemopt_mpi_integer4)
#define MPI_INTEGER8 (&ompmemopt_mpi_integer8)
#define MPI_INTEGER16 (&ompmemopt_mpi_integer16)
#define MPI_REAL2 (&ompmemopt_mpi_real2)
#define MPI_REAL4 (&ompmemopt_mpi_real4)
#define MPI_REAL8 (&ompmemopt_mpi_real8)
#define MPI_REAL16 (&ompmemopt_mpi_real16)
#define MPI_COMPLEX4 (&ompmemopt_mpi_complex4)
#define MPI_COMPLEX8 (&ompmemopt_mpi_complex8)
#define MPI_COMPLEX16 (&ompmemopt_mpi_complex16)
#define MPI_COMPLEX32 (&ompmemopt_mpi_complex32)

/* Bounds of a datatype (removed in MPI-3.0) */
extern struct ompmemopt_mpi_datatype ompmemopt_mpi_lb, ompmemopt_mpi_ub;
#define MPI_LB (&ompmemopt_mpi_lb)
#define MPI_UB (&ompmemopt_mpi_ub)

/* Special arguments */
extern char ompmemopt_mpi_in_place;
extern int ompmemopt_mpi_unweighted, ompmemopt_mpi_weights_empty;
extern MPI_Fint *MPI_F_STATUS_IGNORE, *MPI_F_STATUSES_IGNORE;
#define MPI_BOTTOM ((void *)0)
#define MPI_IN_PLACE ((void *)&ompmemopt_mpi_in_place)
#define MPI_UNWEIGHTED (&ompmemopt_mpi_unweighted)
#define MPI_WEIGHTS_EMPTY (&ompmemopt_mpi_weights_empty)
#define MPI_STATUS_IGNORE ((MPI_Status *)0)
#define MPI_STATUSES_IGNORE ((MPI_Status *)0)
#define MPI_ERRCODES_IGNORE ((int *)0)
#define MPI_ARGV_NULL ((char **)0)
#define MPI_ARGVS_NULL ((char ***)0)
#define MPI_CONVERSION_FN_NULL ((MPI_Datarep_conversion_function *)0)
#define MPI_ANY_SOURCE (-1)
#define MPI_PROC_NULL (-2)
#define MPI_ROOT (-4)
#define MPI_ANY_TAG (-1)
#define MPI_UNDEFINED (-32766)
#define MPI_KEYVAL_INVALID (-1)
#define MPI_DISPLACEMENT_CURRENT (-54278278)
#define MPI_BSEND_OVERHEAD 128
#define MPI_MAX_PROCESSOR_NAME 256
#define MPI_MAX_LIBRARY_VERSION_STRING 256
#define MPI_MAX_ERROR_STRING 256
#define MPI_MAX_OBJECT_NAME 64
#define MPI_MAX_PORT_NAME 1024
#define MPI_MAX_INFO_KEY 36
#define MPI_MAX_INFO_VAL 256
#define MPI_MAX_DATAREP_STRING 128

/* Error classes */
enum {
    MPI_SUCCESS, MPI_ERR_BUFFER, MPI_ERR_COUNT, MPI_ERR_TYPE, MPI_ERR_TAG, MPI_ERR_COMM, MPI_ERR_RANK,
    MPI_ERR_REQUEST, MPI_ERR_ROOT, MPI_ERR_GROUP, MPI_ERR_OP, MPI_ERR_TOPOLOGY, MPI_ERR_DIMS, MPI_ERR_ARG,
    MPI_ERR_UNKNOWN, MPI_ERR_TRUNCATE, MPI_ERR_OTHER, MPI_ERR_INTERN, MPI_ERR_IN_STATUS, MPI_ERR_PENDING,
    MPI_ERR_ACCESS, MPI_ERR_AMODE, MPI_ERR_ASSERT, MPI_ERR_BAD_FILE, MPI_ERR_BASE, MPI_ERR_CONVERSION,
    MPI_ERR_DISP, MPI_ERR_DUP_DATAREP, MPI_ERR_FILE_EXISTS, MPI_ERR_FILE_IN_USE, MPI_ERR_FILE,
    MPI_ERR_INFO_KEY, MPI_ERR_INFO_NOKEY, MPI_ERR_INFO_VALUE, MPI_ERR_INFO, MPI_ERR_IO, MPI_ERR_KEYVAL,
    MPI_ERR_LOCKTYPE, MPI_ERR_NAME, MPI_ERR_NO_MEM, MPI_ERR_NOT_SAME, MPI_ERR_NO_SPACE, MPI_ERR_NO_SUCH_FILE,
    MPI_ERR_PORT, MPI_ERR_QUOTA, MPI_ERR_READ_ONLY, MPI_ERR_RMA_CONFLICT, MPI_ERR_RMA_SYNC, MPI_ERR_SERVICE,
    MPI_ERR_SIZE, MPI_ERR_SPAWN, MPI_ERR_UNSUPPORTED_DATAREP, MPI_ERR_UNSUPPORTED_OPERATION, MPI_ERR_WIN,
    MPI_ERR_RMA_RANGE, MPI_ERR_RMA_ATTACH, MPI_ERR_RMA_FLAVOR, MPI_ERR_RMA_SHARED,
    MPI_ERR_LASTCODE = 92
};

/* Thread levels */
enum {
    MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED, MPI_THREAD_MULTIPLE
};

/* Results of comparisons */
enum {
    MPI_IDENT, MPI_CONGRUENT, MPI_SIMILAR, MPI_UNEQUAL
};

/* Topologies and split types */
enum {
    MPI_GRAPH = 1, MPI_CART, MPI_DIST_GRAPH, MPI_COMM_TYPE_SHARED
};

/* Predefined attributes */
enum {
    MPI_TAG_UB, MPI_HOST, MPI_IO, MPI_WTIME_IS_GLOBAL, MPI_APPNUM, MPI_LASTUSEDCODE, MPI_UNIVERSE_SIZE,
    MPI_WIN_BASE, MPI_WIN_SIZE, MPI_WIN_DISP_UNIT, MPI_WIN_CREATE_FLAVOR, MPI_WIN_MODEL
};

/* Windows */
enum {
    MPI_WIN_FLAVOR_CREATE = 1, MPI_WIN_FLAVOR_ALLOCATE, MPI_WIN_FLAVOR_DYNAMIC, MPI_WIN_FLAVOR_SHARED,
    MPI_WIN_UNIFIED, MPI_WIN_SEPARATE, MPI_LOCK_EXCLUSIVE, MPI_LOCK_SHARED
};

/* Assertions of window calls */
enum {
    MPI_MODE_NOCHECK = 1, MPI_MODE_NOPRECEDE = 2, MPI_MODE_NOPUT = 4, MPI_MODE_NOSTORE = 8,
    MPI_MODE_NOSUCCEED = 16
};

/* File modes */
enum {
    MPI_MODE_CREATE = 1, MPI_MODE_RDONLY = 2, MPI_MODE_WRONLY = 4, MPI_MODE_RDWR = 8,
    MPI_MODE_DELETE_ON_CLOSE = 16, MPI_MODE_UNIQUE_OPEN = 32, MPI_MODE_EXCL = 64, MPI_MODE_APPEND = 128,
    MPI_MODE_SEQUENTIAL = 256
};

/* File positions */
enum {
    MPI_SEEK_SET = 600, MPI_SEEK_CUR, MPI_SEEK_END
};

/* Layouts and distributions */
enum {
    MPI_ORDER_C = 0, MPI_ORDER_FORTRAN = 1, MPI_DISTRIBUTE_BLOCK = 0, MPI_DISTRIBUTE_CYCLIC = 1,
    MPI_DISTRIBUTE_NONE = 2, MPI_DISTRIBUTE_DFLT_DARG = -1
};

/* Type classes */
enum {
    MPI_TYPECLASS_INTEGER = 1, MPI_TYPECLASS_REAL, MPI_TYPECLASS_COMPLEX
};

/* How a datatype was made */
enum {
    MPI_COMBINER_NAMED, MPI_COMBINER_DUP, MPI_COMBINER_CONTIGUOUS, MPI_COMBINER_VECTOR, MPI_COMBINER_HVECTOR,
    MPI_COMBINER_INDEXED, MPI_COMBINER_HINDEXED, MPI_COMBINER_INDEXED_BLOCK, MPI_COMBINER_HINDEXED_BLOCK,
    MPI_COMBINER_STRUCT, MPI_COMBINER_SUBARRAY, MPI_COMBINER_DARRAY, MPI_COMBINER_F90_REAL,
    MPI_COMBINER_F90_COMPLEX, MPI_COMBINER_F90_INTEGER, MPI_COMBINER_RESIZED, MPI_COMBINER_HVECTOR_INTEGER,
    MPI_COMBINER_HINDEXED_INTEGER, MPI_COMBINER_STRUCT_INTEGER
};

/* Environment, errors, time */
int MPI_Init(int *, char ***);
int MPI_Init_thread(int *, char ***, int, int *);
int MPI_Initialized(int *);
int MPI_Finalize(void);
int MPI_Finalized(int *);
int MPI_Abort(MPI_Comm, int);
int MPI_Query_thread(int *);
int MPI_Is_thread_main(int *);
int MPI_Get_version(int *, int *);
int MPI_Get_library_version(char *, int *);
int MPI_Get_processor_name(char *, int *);
int MPI_Pcontrol(const int, ...);
double MPI_Wtime(void);
double MPI_Wtick(void);
int MPI_Alloc_mem(MPI_Aint, MPI_Info, void *);
int MPI_Free_mem(void *);
int MPI_Error_class(int, int *);
int MPI_Error_string(int, char *, int *);
int MPI_Add_error_class(int *);
int MPI_Add_error_code(int, int *);
int MPI_Add_error_string(int, const char *);
int MPI_Errhandler_free(MPI_Errhandler *);
int MPI_Comm_create_errhandler(MPI_Comm_errhandler_function *, MPI_Errhandler *);
int MPI_Comm_get_errhandler(MPI_Comm, MPI_Errhandler *);
int MPI_Comm_set_errhandler(MPI_Comm, MPI_Errhandler);
int MPI_Comm_call_errhandler(MPI_Comm, int);
int MPI_File_create_errhandler(MPI_File_errhandler_function *, MPI_Errhandler *);
int MPI_File_get_errhandler(MPI_File, MPI_Errhandler *);
int MPI_File_set_errhandler(MPI_File, MPI_Errhandler);
int MPI_File_call_errhandler(MPI_File, int);
int MPI_Win_create_errhandler(MPI_Win_errhandler_function *, MPI_Errhandler *);
int MPI_Win_get_errhandler(MPI_Win, MPI_Errhandler *);
int MPI_Win_set_errhandler(MPI_Win, MPI_Errhandler);
int MPI_Win_call_errhandler(MPI_Win, int);

/* Point to point */
int MPI_Send(const void *, int, MPI_Datatype, int, int, MPI_Comm);
int MPI_Bsend(const void *, int, MPI_Datatype, int, int, MPI_Comm);
int MPI_Ssend(const void *, int, MPI_Datatype, int, int, MPI_Comm);
int MPI_Rsend(const void *, int, MPI_Datatype, int, int, MPI_Comm);
int MPI_Recv(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Status *);
int MPI_Sendrecv(const void *, int, MPI_Datatype, int, int, void *, int, MPI_Datatype, int, int, MPI_Comm,
    MPI_Status *);
int MPI_Sendrecv_replace(void *, int, MPI_Datatype, int, int, int, int, MPI_Comm, MPI_Status *);
int MPI_Isend(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
int MPI_Ibsend(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
int MPI_Issend(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
int MPI_Irsend(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
int MPI_Irecv(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
int MPI_Send_init(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
int MPI_Bsend_init(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
int MPI_Ssend_init(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
int MPI_Rsend_init(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
int MPI_Recv_init(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
int MPI_Start(MPI_Request *);
int MPI_Startall(int, MPI_Request *);
int MPI_Probe(int, int, MPI_Comm, MPI_Status *);
int MPI_Iprobe(int, int, MPI_Comm, int *, MPI_Status *);
int MPI_Mprobe(int, int, MPI_Comm, MPI_Message *, MPI_Status *);
int MPI_Improbe(int, int, MPI_Comm, int *, MPI_Message *, MPI_Status *);
int MPI_Mrecv(void *, int, MPI_Datatype, MPI_Message *, MPI_Status *);
int MPI_Imrecv(void *, int, MPI_Datatype, MPI_Message *, MPI_Request *);
int MPI_Get_count(const MPI_Status *, MPI_Datatype, int *);
int MPI_Get_elements(const MPI_Status *, MPI_Datatype, int *);
int MPI_Get_elements_x(const MPI_Status *, MPI_Datatype, MPI_Count *);
int MPI_Buffer_attach(void *, int);
int MPI_Buffer_detach(void *, int *);

/* Completion */
int MPI_Wait(MPI_Request *, MPI_Status *);
int MPI_Waitany(int, MPI_Request *, int *, MPI_Status *);
int MPI_Waitall(int, MPI_Request *, MPI_Status *);
int MPI_Waitsome(int, MPI_Request *, int *, int *, MPI_Status *);
int MPI_Test(MPI_Request *, int *, MPI_Status *);
int MPI_Testany(int, MPI_Request *, int *, int *, MPI_Status *);
int MPI_Testall(int, MPI_Request *, int *, MPI_Status *);
int MPI_Testsome(int, MPI_Request *, int *, int *, MPI_Status *);
int MPI_Cancel(MPI_Request *);
int MPI_Test_cancelled(const MPI_Status *, int *);
int MPI_Request_free(MPI_Request *);
int MPI_Request_get_status(MPI_Request, int *, MPI_Status *);
int MPI_Grequest_start(MPI_Grequest_query_function *, MPI_Grequest_free_function *,
    MPI_Grequest_cancel_function *, void *, MPI_Request *);
int MPI_Grequest_complete(MPI_Request);
int MPI_Status_set_cancelled(MPI_Status *, int);
int MPI_Status_set_elements(MPI_Status *, MPI_Datatype, int);
int MPI_Status_set_elements_x(MPI_Status *, MPI_Datatype, MPI_Count);

/* Collectives */
int MPI_Barrier(MPI_Comm);
int MPI_Bcast(void *, int, MPI_Datatype, int, MPI_Comm);
int MPI_Gather(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, int, MPI_Comm);
int MPI_Gatherv(const void *, int, MPI_Datatype, void *, const int *, const int *, MPI_Datatype, int,
    MPI_Comm);
int MPI_Scatter(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, int, MPI_Comm);
int MPI_Scatterv(const void *, const int *, const int *, MPI_Datatype, void *, int, MPI_Datatype, int,
    MPI_Comm);
int MPI_Allgather(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, MPI_Comm);
int MPI_Allgatherv(const void *, int, MPI_Datatype, void *, const int *, const int *, MPI_Datatype, MPI_Comm);
int MPI_Alltoall(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, MPI_Comm);
int MPI_Alltoallv(const void *, const int *, const int *, MPI_Datatype, void *, const int *, const int *,
    MPI_Datatype, MPI_Comm);
int MPI_Alltoallw(const void *, const int *, const int *, const MPI_Datatype *, void *, const int *,
    const int *, const MPI_Datatype *, MPI_Comm);
int MPI_Reduce(const void *, void *, int, MPI_Datatype, MPI_Op, int, MPI_Comm);
int MPI_Allreduce(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm);
int MPI_Reduce_scatter(const void *, void *, const int *, MPI_Datatype, MPI_Op, MPI_Comm);
int MPI_Reduce_scatter_block(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm);
int MPI_Scan(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm);
int MPI_Exscan(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm);

/* Non-blocking collectives */
int MPI_Ibarrier(MPI_Comm, MPI_Request *);
int MPI_Ibcast(void *, int, MPI_Datatype, int, MPI_Comm, MPI_Request *);
int MPI_Igather(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, int, MPI_Comm, MPI_Request *);
int MPI_Igatherv(const void *, int, MPI_Datatype, void *, const int *, const int *, MPI_Datatype, int,
    MPI_Comm, MPI_Request *);
int MPI_Iscatter(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, int, MPI_Comm, MPI_Request *);
int MPI_Iscatterv(const void *, const int *, const int *, MPI_Datatype, void *, int, MPI_Datatype, int,
    MPI_Comm, MPI_Request *);
int MPI_Iallgather(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, MPI_Comm, MPI_Request *);
int MPI_Iallgatherv(const void *, int, MPI_Datatype, void *, const int *, const int *, MPI_Datatype,
    MPI_Comm, MPI_Request *);
int MPI_Ialltoall(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, MPI_Comm, MPI_Request *);
int MPI_Ialltoallv(const void *, const int *, const int *, MPI_Datatype, void *, const int *, const int *,
    MPI_Datatype, MPI_Comm, MPI_Request *);
int MPI_Ialltoallw(const void *, const int *, const int *, const MPI_Datatype *, void *, const int *,
    const int *, const MPI_Datatype *, MPI_Comm, MPI_Request *);
int MPI_Ireduce(const void *, void *, int, MPI_Datatype, MPI_Op, int, MPI_Comm, MPI_Request *);
int MPI_Iallreduce(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm, MPI_Request *);
int MPI_Ireduce_scatter(const void *, void *, const int *, MPI_Datatype, MPI_Op, MPI_Comm, MPI_Request *);
int MPI_Ireduce_scatter_block(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm, MPI_Request *);
int MPI_Iscan(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm, MPI_Request *);
int MPI_Iexscan(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm, MPI_Request *);

/* Neighbourhood collectives */
int MPI_Neighbor_allgather(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, MPI_Comm);
int MPI_Neighbor_allgatherv(const void *, int, MPI_Datatype, void *, const int *, const int *, MPI_Datatype,
    MPI_Comm);
int MPI_Neighbor_alltoall(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, MPI_Comm);
int MPI_Neighbor_alltoallv(const void *, const int *, const int *, MPI_Datatype, void *, const int *,
    const int *, MPI_Datatype, MPI_Comm);
int MPI_Neighbor_alltoallw(const void *, const int *, const MPI_Aint *, const MPI_Datatype *, void *,
    const int *, const MPI_Aint *, const MPI_Datatype *, MPI_Comm);
int MPI_Ineighbor_allgather(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, MPI_Comm,
    MPI_Request *);
int MPI_Ineighbor_allgatherv(const void *, int, MPI_Datatype, void *, const int *, const int *, MPI_Datatype,
    MPI_Comm, MPI_Request *);
int MPI_Ineighbor_alltoall(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, MPI_Comm,
    MPI_Request *);
int MPI_Ineighbor_alltoallv(const void *, const int *, const int *, MPI_Datatype, void *, const int *,
    const int *, MPI_Datatype, MPI_Comm, MPI_Request *);
int MPI_Ineighbor_alltoallw(const void *, const int *, const MPI_Aint *, const MPI_Datatype *, void *,
    const int *, const MPI_Aint *, const MPI_Datatype *, MPI_Comm, MPI_Request *);

/* Reduction operators */
int MPI_Op_create(MPI_User_function *, int, MPI_Op *);
int MPI_Op_free(MPI_Op *);
int MPI_Op_commutative(MPI_Op, int *);
int MPI_Reduce_local(const void *, void *, int, MPI_Datatype, MPI_Op);

/* Groups */
int MPI_Group_size(MPI_Group, int *);
int MPI_Group_rank(MPI_Group, int *);
int MPI_Group_translate_ranks(MPI_Group, int, const int *, MPI_Group, int *);
int MPI_Group_compare(MPI_Group, MPI_Group, int *);
int MPI_Group_union(MPI_Group, MPI_Group, MPI_Group *);
int MPI_Group_intersection(MPI_Group, MPI_Group, MPI_Group *);
int MPI_Group_difference(MPI_Group, MPI_Group, MPI_Group *);
int MPI_Group_incl(MPI_Group, int, const int *, MPI_Group *);
int MPI_Group_excl(MPI_Group, int, const int *, MPI_Group *);
int MPI_Group_range_incl(MPI_Group, int, int[][3], MPI_Group *);
int MPI_Group_range_excl(MPI_Group, int, int[][3], MPI_Group *);
int MPI_Group_free(MPI_Group *);

/* Communicators */
int MPI_Comm_size(MPI_Comm, int *);
int MPI_Comm_rank(MPI_Comm, int *);
int MPI_Comm_group(MPI_Comm, MPI_Group *);
int MPI_Comm_compare(MPI_Comm, MPI_Comm, int *);
int MPI_Comm_dup(MPI_Comm, MPI_Comm *);
int MPI_Comm_dup_with_info(MPI_Comm, MPI_Info, MPI_Comm *);
int MPI_Comm_idup(MPI_Comm, MPI_Comm *, MPI_Request *);
int MPI_Comm_create(MPI_Comm, MPI_Group, MPI_Comm *);
int MPI_Comm_create_group(MPI_Comm, MPI_Group, int, MPI_Comm *);
int MPI_Comm_split(MPI_Comm, int, int, MPI_Comm *);
int MPI_Comm_split_type(MPI_Comm, int, int, MPI_Info, MPI_Comm *);
int MPI_Comm_free(MPI_Comm *);
int MPI_Comm_set_info(MPI_Comm, MPI_Info);
int MPI_Comm_get_info(MPI_Comm, MPI_Info *);
int MPI_Comm_set_name(MPI_Comm, const char *);
int MPI_Comm_get_name(MPI_Comm, char *, int *);
int MPI_Comm_test_inter(MPI_Comm, int *);
int MPI_Comm_remote_size(MPI_Comm, int *);
int MPI_Comm_remote_group(MPI_Comm, MPI_Group *);
int MPI_Intercomm_create(MPI_Comm, int, MPI_Comm, int, int, MPI_Comm *);
int MPI_Intercomm_merge(MPI_Comm, int, MPI_Comm *);

/* Topologies */
int MPI_Cart_create(MPI_Comm, int, const int *, const int *, int, MPI_Comm *);
int MPI_Cart_map(MPI_Comm, int, const int *, const int *, int *);
int MPI_Cart_coords(MPI_Comm, int, int, int *);
int MPI_Cart_rank(MPI_Comm, const int *, int *);
int MPI_Cart_get(MPI_Comm, int, int *, int *, int *);
int MPI_Cart_shift(MPI_Comm, int, int, int *, int *);
int MPI_Cart_sub(MPI_Comm, const int *, MPI_Comm *);
int MPI_Cartdim_get(MPI_Comm, int *);
int MPI_Dims_create(int, int, int *);
int MPI_Graph_create(MPI_Comm, int, const int *, const int *, int, MPI_Comm *);
int MPI_Graph_map(MPI_Comm, int, const int *, const int *, int *);
int MPI_Graph_get(MPI_Comm, int, int, int *, int *);
int MPI_Graph_neighbors(MPI_Comm, int, int, int *);
int MPI_Graph_neighbors_count(MPI_Comm, int, int *);
int MPI_Graphdims_get(MPI_Comm, int *, int *);
int MPI_Dist_graph_create(MPI_Comm, int, const int *, const int *, const int *, const int *, MPI_Info, int,
    MPI_Comm *);
int MPI_Dist_graph_create_adjacent(MPI_Comm, int, const int *, const int *, int, const int *, const int *,
    MPI_Info, int, MPI_Comm *);
int MPI_Dist_graph_neighbors(MPI_Comm, int, int *, int *, int, int *, int *);
int MPI_Dist_graph_neighbors_count(MPI_Comm, int *, int *, int *);
int MPI_Topo_test(MPI_Comm, int *);

/* Attributes and names */
int MPI_Comm_create_keyval(MPI_Comm_copy_attr_function *, MPI_Comm_delete_attr_function *, int *, void *);
int MPI_Comm_free_keyval(int *);
int MPI_Comm_set_attr(MPI_Comm, int, void *);
int MPI_Comm_get_attr(MPI_Comm, int, void *, int *);
int MPI_Comm_delete_attr(MPI_Comm, int);
int MPI_Type_create_keyval(MPI_Type_copy_attr_function *, MPI_Type_delete_attr_function *, int *, void *);
int MPI_Type_free_keyval(int *);
int MPI_Type_set_attr(MPI_Datatype, int, void *);
int MPI_Type_get_attr(MPI_Datatype, int, void *, int *);
int MPI_Type_delete_attr(MPI_Datatype, int);
int MPI_Win_create_keyval(MPI_Win_copy_attr_function *, MPI_Win_delete_attr_function *, int *, void *);
int MPI_Win_free_keyval(int *);
int MPI_Win_set_attr(MPI_Win, int, void *);
int MPI_Win_get_attr(MPI_Win, int, void *, int *);
int MPI_Win_delete_attr(MPI_Win, int);
int MPI_COMM_NULL_COPY_FN(MPI_Comm, int, void *, void *, void *, int *);
int MPI_COMM_NULL_DELETE_FN(MPI_Comm, int, void *, void *);
int MPI_COMM_DUP_FN(MPI_Comm, int, void *, void *, void *, int *);
int MPI_TYPE_NULL_COPY_FN(MPI_Datatype, int, void *, void *, void *, int *);
int MPI_TYPE_NULL_DELETE_FN(MPI_Datatype, int, void *, void *);
int MPI_TYPE_DUP_FN(MPI_Datatype, int, void *, void *, void *, int *);
int MPI_WIN_NULL_COPY_FN(MPI_Win, int, void *, void *, void *, int *);
int MPI_WIN_NULL_DELETE_FN(MPI_Win, int, void *, void *);
int MPI_WIN_DUP_FN(MPI_Win, int, void *, void *, void *, int *);

/* Datatypes */
int MPI_Type_contiguous(int, MPI_Datatype, MPI_Datatype *);
int MPI_Type_vector(int, int, int, MPI_Datatype, MPI_Datatype *);
int MPI_Type_create_hvector(int, int, MPI_Aint, MPI_Datatype, MPI_Datatype *);
int MPI_Type_indexed(int, const int *, const int *, MPI_Datatype, MPI_Datatype *);
int MPI_Type_create_hindexed(int, const int *, const MPI_Aint *, MPI_Datatype, MPI_Datatype *);
int MPI_Type_create_indexed_block(int, int, const int *, MPI_Datatype, MPI_Datatype *);
int MPI_Type_create_hindexed_block(int, int, const MPI_Aint *, MPI_Datatype, MPI_Datatype *);
int MPI_Type_create_struct(int, const int *, const MPI_Aint *, const MPI_Datatype *, MPI_Datatype *);
int MPI_Type_create_subarray(int, const int *, const int *, const int *, int, MPI_Datatype, MPI_Datatype *);
int MPI_Type_create_darray(int, int, int, const int *, const int *, const int *, const int *, int,
    MPI_Datatype, MPI_Datatype *);
int MPI_Type_create_resized(MPI_Datatype, MPI_Aint, MPI_Aint, MPI_Datatype *);
int MPI_Type_create_f90_integer(int, MPI_Datatype *);
int MPI_Type_create_f90_real(int, int, MPI_Datatype *);
int MPI_Type_create_f90_complex(int, int, MPI_Datatype *);
int MPI_Type_match_size(int, int, MPI_Datatype *);
int MPI_Type_dup(MPI_Datatype, MPI_Datatype *);
int MPI_Type_commit(MPI_Datatype *);
int MPI_Type_free(MPI_Datatype *);
int MPI_Type_size(MPI_Datatype, int *);
int MPI_Type_size_x(MPI_Datatype, MPI_Count *);
int MPI_Type_get_extent(MPI_Datatype, MPI_Aint *, MPI_Aint *);
int MPI_Type_get_extent_x(MPI_Datatype, MPI_Count *, MPI_Count *);
int MPI_Type_get_true_extent(MPI_Datatype, MPI_Aint *, MPI_Aint *);
int MPI_Type_get_true_extent_x(MPI_Datatype, MPI_Count *, MPI_Count *);
int MPI_Type_get_envelope(MPI_Datatype, int *, int *, int *, int *);
int MPI_Type_get_contents(MPI_Datatype, int, int, int, int *, MPI_Aint *, MPI_Datatype *);
int MPI_Type_set_name(MPI_Datatype, const char *);
int MPI_Type_get_name(MPI_Datatype, char *, int *);
int MPI_Get_address(const void *, MPI_Aint *);
MPI_Aint MPI_Aint_add(MPI_Aint, MPI_Aint);
MPI_Aint MPI_Aint_diff(MPI_Aint, MPI_Aint);
int MPI_Pack(const void *, int, MPI_Datatype, void *, int, int *, MPI_Comm);
int MPI_Unpack(const void *, int, int *, void *, int, MPI_Datatype, MPI_Comm);
int MPI_Pack_size(int, MPI_Datatype, MPI_Comm, int *);
int MPI_Pack_external(const char *, const void *, int, MPI_Datatype, void *, MPI_Aint, MPI_Aint *);
int MPI_Unpack_external(const char *, const void *, MPI_Aint, MPI_Aint *, void *, int, MPI_Datatype);
int MPI_Pack_external_size(const char *, int, MPI_Datatype, MPI_Aint *);

/* Info */
int MPI_Info_create(MPI_Info *);
int MPI_Info_dup(MPI_Info, MPI_Info *);
int MPI_Info_free(MPI_Info *);
int MPI_Info_set(MPI_Info, const char *, const char *);
int MPI_Info_get(MPI_Info, const char *, int, char *, int *);
int MPI_Info_get_valuelen(MPI_Info, const char *, int *, int *);
int MPI_Info_get_nkeys(MPI_Info, int *);
int MPI_Info_get_nthkey(MPI_Info, int, char *);
int MPI_Info_delete(MPI_Info, const char *);

/* Processes */
int MPI_Comm_spawn(const char *, char **, int, MPI_Info, int, MPI_Comm, MPI_Comm *, int *);
int MPI_Comm_spawn_multiple(int, char **, char ***, const int *, const MPI_Info *, int, MPI_Comm, MPI_Comm *,
    int *);
int MPI_Comm_get_parent(MPI_Comm *);
int MPI_Comm_accept(const char *, MPI_Info, int, MPI_Comm, MPI_Comm *);
int MPI_Comm_connect(const char *, MPI_Info, int, MPI_Comm, MPI_Comm *);
int MPI_Comm_disconnect(MPI_Comm *);
int MPI_Comm_join(int, MPI_Comm *);
int MPI_Open_port(MPI_Info, char *);
int MPI_Close_port(const char *);
int MPI_Publish_name(const char *, MPI_Info, const char *);
int MPI_Unpublish_name(const char *, MPI_Info, const char *);
int MPI_Lookup_name(const char *, MPI_Info, char *);

/* One-sided */
int MPI_Win_create(void *, MPI_Aint, int, MPI_Info, MPI_Comm, MPI_Win *);
int MPI_Win_create_dynamic(MPI_Info, MPI_Comm, MPI_Win *);
int MPI_Win_allocate(MPI_Aint, int, MPI_Info, MPI_Comm, void *, MPI_Win *);
int MPI_Win_allocate_shared(MPI_Aint, int, MPI_Info, MPI_Comm, void *, MPI_Win *);
int MPI_Win_shared_query(MPI_Win, int, MPI_Aint *, int *, void *);
int MPI_Win_attach(MPI_Win, void *, MPI_Aint);
int MPI_Win_detach(MPI_Win, const void *);
int MPI_Win_free(MPI_Win *);
int MPI_Win_get_group(MPI_Win, MPI_Group *);
int MPI_Win_set_info(MPI_Win, MPI_Info);
int MPI_Win_get_info(MPI_Win, MPI_Info *);
int MPI_Win_set_name(MPI_Win, const char *);
int MPI_Win_get_name(MPI_Win, char *, int *);
int MPI_Win_fence(int, MPI_Win);
int MPI_Win_start(MPI_Group, int, MPI_Win);
int MPI_Win_complete(MPI_Win);
int MPI_Win_post(MPI_Group, int, MPI_Win);
int MPI_Win_wait(MPI_Win);
int MPI_Win_test(MPI_Win, int *);
int MPI_Win_lock(int, int, int, MPI_Win);
int MPI_Win_lock_all(int, MPI_Win);
int MPI_Win_unlock(int, MPI_Win);
int MPI_Win_unlock_all(MPI_Win);
int MPI_Win_flush(int, MPI_Win);
int MPI_Win_flush_all(MPI_Win);
int MPI_Win_flush_local(int, MPI_Win);
int MPI_Win_flush_local_all(MPI_Win);
int MPI_Win_sync(MPI_Win);
int MPI_Put(const void *, int, MPI_Datatype, int, MPI_Aint, int, MPI_Datatype, MPI_Win);
int MPI_Get(void *, int, MPI_Datatype, int, MPI_Aint, int, MPI_Datatype, MPI_Win);
int MPI_Accumulate(const void *, int, MPI_Datatype, int, MPI_Aint, int, MPI_Datatype, MPI_Op, MPI_Win);
int MPI_Get_accumulate(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, int, MPI_Aint, int,
    MPI_Datatype, MPI_Op, MPI_Win);
int MPI_Fetch_and_op(const void *, void *, MPI_Datatype, int, MPI_Aint, MPI_Op, MPI_Win);
int MPI_Compare_and_swap(const void *, const void *, void *, MPI_Datatype, int, MPI_Aint, MPI_Win);
int MPI_Rput(const void *, int, MPI_Datatype, int, MPI_Aint, int, MPI_Datatype, MPI_Win, MPI_Request *);
int MPI_Rget(void *, int, MPI_Datatype, int, MPI_Aint, int, MPI_Datatype, MPI_Win, MPI_Request *);
int MPI_Raccumulate(const void *, int, MPI_Datatype, int, MPI_Aint, int, MPI_Datatype, MPI_Op, MPI_Win,
    MPI_Request *);
int MPI_Rget_accumulate(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, int, MPI_Aint, int,
    MPI_Datatype, MPI_Op, MPI_Win, MPI_Request *);

/* Files */
int MPI_File_open(MPI_Comm, const char *, int, MPI_Info, MPI_File *);
int MPI_File_close(MPI_File *);
int MPI_File_delete(const char *, MPI_Info);
int MPI_File_set_size(MPI_File, MPI_Offset);
int MPI_File_preallocate(MPI_File, MPI_Offset);
int MPI_File_get_size(MPI_File, MPI_Offset *);
int MPI_File_get_group(MPI_File, MPI_Group *);
int MPI_File_get_amode(MPI_File, int *);
int MPI_File_set_info(MPI_File, MPI_Info);
int MPI_File_get_info(MPI_File, MPI_Info *);
int MPI_File_set_view(MPI_File, MPI_Offset, MPI_Datatype, MPI_Datatype, const char *, MPI_Info);
int MPI_File_get_view(MPI_File, MPI_Offset *, MPI_Datatype *, MPI_Datatype *, char *);
int MPI_File_read_at(MPI_File, MPI_Offset, void *, int, MPI_Datatype, MPI_Status *);
int MPI_File_read_at_all(MPI_File, MPI_Offset, void *, int, MPI_Datatype, MPI_Status *);
int MPI_File_write_at(MPI_File, MPI_Offset, const void *, int, MPI_Datatype, MPI_Status *);
int MPI_File_write_at_all(MPI_File, MPI_Offset, const void *, int, MPI_Datatype, MPI_Status *);
int MPI_File_iread_at(MPI_File, MPI_Offset, void *, int, MPI_Datatype, MPI_Request *);
int MPI_File_iread_at_all(MPI_File, MPI_Offset, void *, int, MPI_Datatype, MPI_Request *);
int MPI_File_iwrite_at(MPI_File, MPI_Offset, const void *, int, MPI_Datatype, MPI_Request *);
int MPI_File_iwrite_at_all(MPI_File, MPI_Offset, const void *, int, MPI_Datatype, MPI_Request *);
int MPI_File_read(MPI_File, void *, int, MPI_Datatype, MPI_Status *);
int MPI_File_read_all(MPI_File, void *, int, MPI_Datatype, MPI_Status *);
int MPI_File_write(MPI_File, const void *, int, MPI_Datatype, MPI_Status *);
int MPI_File_write_all(MPI_File, const void *, int, MPI_Datatype, MPI_Status *);
int MPI_File_iread(MPI_File, void *, int, MPI_Datatype, MPI_Request *);
int MPI_File_iread_all(MPI_File, void *, int, MPI_Datatype, MPI_Request *);
int MPI_File_iwrite(MPI_File, const void *, int, MPI_Datatype, MPI_Request *);
int MPI_File_iwrite_all(MPI_File, const void *, int, MPI_Datatype, MPI_Request *);
int MPI_File_seek(MPI_File, MPI_Offset, int);
int MPI_File_get_position(MPI_File, MPI_Offset *);
int MPI_File_get_byte_offset(MPI_File, MPI_Offset, MPI_Offset *);
int MPI_File_read_shared(MPI_File, void *, int, MPI_Datatype, MPI_Status *);
int MPI_File_write_shared(MPI_File, const void *, int, MPI_Datatype, MPI_Status *);
int MPI_File_iread_shared(MPI_File, void *, int, MPI_Datatype, MPI_Request *);
int MPI_File_iwrite_shared(MPI_File, const void *, int, MPI_Datatype, MPI_Request *);
int MPI_File_read_ordered(MPI_File, void *, int, MPI_Datatype, MPI_Status *);
int MPI_File_write_ordered(MPI_File, const void *, int, MPI_Datatype, MPI_Status *);
int MPI_File_seek_shared(MPI_File, MPI_Offset, int);
int MPI_File_get_position_shared(MPI_File, MPI_Offset *);
int MPI_File_read_at_all_begin(MPI_File, MPI_Offset, void *, int, MPI_Datatype);
int MPI_File_read_at_all_end(MPI_File, void *, MPI_Status *);
int MPI_File_write_at_all_begin(MPI_File, MPI_Offset, const void *, int, MPI_Datatype);
int MPI_File_write_at_all_end(MPI_File, const void *, MPI_Status *);
int MPI_File_read_all_begin(MPI_File, void *, int, MPI_Datatype);
int MPI_File_read_all_end(MPI_File, void *, MPI_Status *);
int MPI_File_write_all_begin(MPI_File, const void *, int, MPI_Datatype);
int MPI_File_write_all_end(MPI_File, const void *, MPI_Status *);
int MPI_File_read_ordered_begin(MPI_File, void *, int, MPI_Datatype);
int MPI_File_read_ordered_end(MPI_File, void *, MPI_Status *);
int MPI_File_write_ordered_begin(MPI_File, const void *, int, MPI_Datatype);
int MPI_File_write_ordered_end(MPI_File, const void *, MPI_Status *);
int MPI_File_get_type_extent(MPI_File, MPI_Datatype, MPI_Aint *);
int MPI_File_set_atomicity(MPI_File, int);
int MPI_File_get_atomicity(MPI_File, int *);
int MPI_File_sync(MPI_File);
int MPI_Register_datarep(const char *, MPI_Datarep_conversion_function *, MPI_Datarep_conversion_function *,
    MPI_Datarep_extent_function *, void *);

/* Fortran handles */
MPI_Fint MPI_Comm_c2f(MPI_Comm);
MPI_Comm MPI_Comm_f2c(MPI_Fint);
MPI_Fint MPI_Type_c2f(MPI_Datatype);
MPI_Datatype MPI_Type_f2c(MPI_Fint);
MPI_Fint MPI_Group_c2f(MPI_Group);
MPI_Group MPI_Group_f2c(MPI_Fint);
MPI_Fint MPI_Request_c2f(MPI_Request);
MPI_Request MPI_Request_f2c(MPI_Fint);
MPI_Fint MPI_File_c2f(MPI_File);
MPI_File MPI_File_f2c(MPI_Fint);
MPI_Fint MPI_Win_c2f(MPI_Win);
MPI_Win MPI_Win_f2c(MPI_Fint);
MPI_Fint MPI_Op_c2f(MPI_Op);
MPI_Op MPI_Op_f2c(MPI_Fint);
MPI_Fint MPI_Info_c2f(MPI_Info);
MPI_Info MPI_Info_f2c(MPI_Fint);
MPI_Fint MPI_Errhandler_c2f(MPI_Errhandler);
MPI_Errhandler MPI_Errhandler_f2c(MPI_Fint);
MPI_Fint MPI_Message_c2f(MPI_Message);
MPI_Message MPI_Message_f2c(MPI_Fint);
int MPI_Status_c2f(const MPI_Status *, MPI_Fint *);
int MPI_Status_f2c(const MPI_Fint *, MPI_Status *);

/* Deprecated in MPI-2.0 */
int MPI_Keyval_create(MPI_Copy_function *, MPI_Delete_function *, int *, void *);
int MPI_Keyval_free(int *);
int MPI_Attr_put(MPI_Comm, int, void *);
int MPI_Attr_get(MPI_Comm, int, void *, int *);
int MPI_Attr_delete(MPI_Comm, int);
int MPI_NULL_COPY_FN(MPI_Comm, int, void *, void *, void *, int *);
int MPI_NULL_DELETE_FN(MPI_Comm, int, void *, void *);
int MPI_DUP_FN(MPI_Comm, int, void *, void *, void *, int *);

/* Removed in MPI-3.0, still in older sources */
int MPI_Address(void *, MPI_Aint *);
int MPI_Errhandler_create(MPI_Handler_function *, MPI_Errhandler *);
int MPI_Errhandler_get(MPI_Comm, MPI_Errhandler *);
int MPI_Errhandler_set(MPI_Comm, MPI_Errhandler);
int MPI_Type_extent(MPI_Datatype, MPI_Aint *);
int MPI_Type_hindexed(int, int *, MPI_Aint *, MPI_Datatype, MPI_Datatype *);
int MPI_Type_hvector(int, int, MPI_Aint, MPI_Datatype, MPI_Datatype *);
int MPI_Type_lb(MPI_Datatype, MPI_Aint *);
int MPI_Type_struct(int, int *, MPI_Aint *, MPI_Datatype *, MPI_Datatype *);
int MPI_Type_ub(MPI_Datatype, MPI_Aint *);

#ifdef __cplusplus
}
#endif

#endif
