/* --all args: 900, 0 */
/* Sums, products and extremes that are cut off on the way: partial results are cut off, and what is made of them is not. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint8_t p[1000];
static uint16_t u[1000];
static int16_t h[1000];
static int v[1000];

static uint32_t checksum(int n) {
    uint32_t s = 0;
    for (int i = 0; i < n; i++) s = (uint16_t)(s + p[i]);
    return s;
}

static int bytes(int n) {
    int s = 0;
    for (int i = 0; i < n; i++) s = (unsigned char)(s + p[i]);
    return s;
}

static int product(int n) {
    int s = 3;
    for (int i = 0; i < n; i++) s = (short)(s * (p[i] | 1));
    return s;
}

static int bits(int n) {
    int o = 0x100;
    for (int i = 0; i < n; i++) o = (unsigned char)(o | v[i]);
    return o;
}

static unsigned long wide(int n) {
    unsigned long t = 1;
    for (int i = 0; i < n; i++) t = (unsigned)(t + 0x7fffff00u + p[i]);
    return t;
}

/* The variable itself is narrow: nothing is lost. */
static int narrow(int n) {
    uint16_t s = 0;
    int8_t t = 0;
    unsigned char o = 0;
    for (int i = 0; i < n; i++) s += p[i];
    for (int i = 0; i < n; i++) t -= v[i];
    for (int i = 0; i < n; i++) o ^= v[i];
    return 3 * s + 5 * t + 7 * o;
}

/* As wide as the variable, or wider, on all the way. */
static long plain(int n) {
    int s = 0;
    unsigned long t = 1;
    for (int i = 0; i < n; i++) s = (int)((long)s + v[i]);
    for (int i = 0; i < n; i++) t = t * (unsigned long)(p[i] | 1);
    return s + (long)(t % 1000);
}

/* 40000 is less than 1 as a `short`, and what is stored is compared again as such. */
static int greatest(int n) {
    short m = 0;
    for (int i = 0; i < n; i++)
        if (u[i] > m) m = u[i];
    return m;
}

static int least(int n) {
    unsigned short m = 500;
    for (int i = 0; i < n; i++)
        if (h[i] < m) m = h[i];
    return m;
}

static int as_bytes(int n) {
    signed char m = 1;
    for (int i = 0; i < n; i++)
        if (p[i] > (unsigned char)m) m = p[i];
    return m;
}

static int cut(int n) {
    int m = 0;
    for (int i = 0; i < n; i++)
        if (v[i] > m) m = (short)v[i];
    return m;
}

static int proper(int n) {
    short m = -4;
    unsigned short k = 70;
    for (int i = 0; i < n; i++)
        if (h[i] > m) m = h[i];
    for (int i = 0; i < n; i++)
        if (u[i] < k) k = u[i];
    return m + 3 * k;
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 900;
    for (int i = 0; i < 1000; i++) {
        p[i] = i * 37 + 150;
        u[i] = i * 7919;
        h[i] = i * 7919;
        v[i] = i * 12347;
    }
    printf("%u %d %d %d %lu\n", checksum(n), bytes(n), product(n), bits(n), wide(n));
    printf("%d %ld %d %d %d %d %d\n", narrow(n), plain(n), greatest(n), least(n), as_bytes(n), cut(n), proper(n));
    return 0;
}
