/* clang 19: wrong. Teams where `if` sends nothing to the device: with OMP_NUM_TEAMS there are several on the host. */
#include <omp.h>
#include <stdio.h>

int main(void)
{
    int most = 0;
    #pragma omp target teams map(from: most) if(0)
    if (omp_get_team_num() == 0)
        most = omp_get_num_teams();
    puts(most == 1 ? "right" : "wrong");
    return 0;
}
