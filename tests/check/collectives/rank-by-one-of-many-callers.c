/* expects: error OMM302 */
/* A function of seventy callers gives each of them the rank in a variable of its own: where it is called from is known. Hangs. */
#include <mpi.h>
#include <stdio.h>

static void get_rank(MPI_Comm comm, int *rank)
{
    MPI_Comm_rank(comm, rank);
}

#define PLACE(n)                                                                                                       \
    static int place_##n(void)                                                                                         \
    {                                                                                                                  \
        int rank;                                                                                                      \
        get_rank(MPI_COMM_WORLD, &rank);                                                                               \
        return rank > n;                                                                                               \
    }
PLACE(1) PLACE(2) PLACE(3) PLACE(4) PLACE(5) PLACE(6) PLACE(7) PLACE(8) PLACE(9) PLACE(10)
PLACE(11) PLACE(12) PLACE(13) PLACE(14) PLACE(15) PLACE(16) PLACE(17) PLACE(18) PLACE(19) PLACE(20)
PLACE(21) PLACE(22) PLACE(23) PLACE(24) PLACE(25) PLACE(26) PLACE(27) PLACE(28) PLACE(29) PLACE(30)
PLACE(31) PLACE(32) PLACE(33) PLACE(34) PLACE(35) PLACE(36) PLACE(37) PLACE(38) PLACE(39) PLACE(40)
PLACE(41) PLACE(42) PLACE(43) PLACE(44) PLACE(45) PLACE(46) PLACE(47) PLACE(48) PLACE(49) PLACE(50)
PLACE(51) PLACE(52) PLACE(53) PLACE(54) PLACE(55) PLACE(56) PLACE(57) PLACE(58) PLACE(59) PLACE(60)
PLACE(61) PLACE(62) PLACE(63) PLACE(64) PLACE(65) PLACE(66) PLACE(67) PLACE(68) PLACE(69) PLACE(70)

static int (*const places[])(void) = {
    place_1, place_2, place_3, place_4, place_5, place_6, place_7, place_8, place_9, place_10,
    place_11, place_12, place_13, place_14, place_15, place_16, place_17, place_18, place_19, place_20,
    place_21, place_22, place_23, place_24, place_25, place_26, place_27, place_28, place_29, place_30,
    place_31, place_32, place_33, place_34, place_35, place_36, place_37, place_38, place_39, place_40,
    place_41, place_42, place_43, place_44, place_45, place_46, place_47, place_48, place_49, place_50,
    place_51, place_52, place_53, place_54, place_55, place_56, place_57, place_58, place_59, place_60,
    place_61, place_62, place_63, place_64, place_65, place_66, place_67, place_68, place_69, place_70,
};

int main(int argc, char **argv)
{
    int above = 0;
    MPI_Init(&argc, &argv);
    for (int i = 0; i < (int)(sizeof places / sizeof *places); i++)
        above += places[i]();
    if (argc > 1)
        printf("%d\n", above);
    if (place_1())
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
