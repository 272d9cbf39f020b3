# Makes the tables of the seeded bugs from lines "search, bug, matches it needs, interleavings until it was found or -",
# separated by tabs. `budget` must be set.
function median(values, count,   i, j, swap) {
    for (i = 2; i <= count; i++)
        for (j = i; j > 1 && values[j] < values[j - 1]; j--) { swap = values[j]; values[j] = values[j - 1]; values[j - 1] = swap }
    return count == 0 ? "-" : count % 2 ? values[(count + 1) / 2] : (values[count / 2] + values[count / 2 + 1]) / 2
}
{
    if (!($1 in seen)) { seen[$1]; searches[++search_count] = $1 }
    if (!($2 in matches)) { matches[$2] = $3; bugs[++bug_count] = $2; needing[$3]++ }
    when[$1, $2] = $4
}
END {
    printf "seeded bugs found within %d interleavings, by the matches that they need\n", budget
    printf "%-16s %8s", "search", "found"
    for (m = 1; m <= 3; m++) printf "  %8s", "of " needing[m] + 0 " (" m ")"
    printf "  %s\n", "interleavings until found, median"
    for (s = 1; s <= search_count; s++) {
        split("", by_matches)
        split("", list)
        found = 0
        for (b = 1; b <= bug_count; b++) {
            number = when[searches[s], bugs[b]]
            if (number == "-" || number == "") continue
            list[++found] = number + 0
            by_matches[matches[bugs[b]]]++
        }
        printf "%-16s %5d/%d", searches[s], found, bug_count
        for (m = 1; m <= 3; m++) printf "  %8d", by_matches[m] + 0
        printf "  %s\n", median(list, found)
    }
    printf "\n%-24s", "in which interleaving"
    for (s = 1; s <= search_count; s++) printf " %13s", searches[s]
    printf "\n"
    for (m = 1; m <= 3; m++)
        for (b = 1; b <= bug_count; b++) {
            if (matches[bugs[b]] != m) continue
            printf "%-22s %d", bugs[b], m
            for (s = 1; s <= search_count; s++) printf " %13s", when[searches[s], bugs[b]]
            printf "\n"
        }
}
