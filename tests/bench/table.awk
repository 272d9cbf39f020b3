# Makes the table of the benchmarks from lines "benchmark variant best mean", one for each run, the n-th line of
# each variant belonging to the n-th round. Values are medians, ratios those within one round: median (smallest -
# largest). `cores` must be set.
function median(values, count,   i, j, swap) {
    for (i = 2; i <= count; i++)
        for (j = i; j > 1 && values[j] < values[j - 1]; j--) { swap = values[j]; values[j] = values[j - 1]; values[j - 1] = swap }
    return count % 2 ? values[(count + 1) / 2] : (values[count / 2] + values[count / 2 + 1]) / 2
}
function middle(name, variant,   i, list) {
    for (i = 1; i <= times[name, variant]; i++) list[i] = value[name, variant, i]
    return median(list, times[name, variant])
}
function ratios(name, against) { return ratios_of(name, "layer", against) }
function ratios_of(name, variant, against,   i, list, middle_one, count) {
    count = times[name, variant]
    for (i = 1; i <= count; i++) list[i] = value[name, variant, i] / value[name, against, i]
    middle_one = median(list, count)
    return sprintf("%6s (%s - %s)", short(middle_one), short(list[1]), short(list[count]))
}
# Two decimals, but something to see of small numbers.
function short(number) { return sprintf(number < 0.1 ? "%.2g" : "%.2f", number) }
function unit(name) { return name ~ /^memory/ ? "KiB" : name ~ /^calls/ ? "ns" : name ~ /^(launch|matmul|updates)/ ? "ms" : "us" }
function figure_unit(name) { return name ~ /^parts|ms$/ ? "ms" : name ~ /rate$/ ? "1/s" : name ~ /memory|journal$/ ? "KiB" : name ~ /seconds$/ ? "s" : "" }
function row(label, unit_, name) {
    printf "%-32s %-4s %11.2f %11.2f %11.2f   %-22s %-22s\n", label, unit_, middle(name, "native"), middle(name, "same"), middle(name, "layer"),
        ratios(name, "native"), ratios(name, "same")
}
{
    # More ranks than cores: what counts is the average.
    ranks = match($1, /[0-9]+-ranks/) ? substr($1, RSTART) + 0 : 2
    if (!($1 in known)) { known[$1]; order[++names] = $1 }
    value[$1, $2, ++times[$1, $2]] = ranks > cores ? $4 : $3
}
END {
    for (n = 1; n <= names; n++) {
        name = order[n]
        if (name ~ /^(clocks|deadlocks|parts|jobs|central|explorer|workers|snapshots|reports|receives|states)/) continue
        if (!headed++)
            printf "%-32s %-4s %11s %11s %11s   %-22s %-22s\n", "", "", "mpiexec", "same env.", "dampi-run", "ratio to mpiexec", "ratio to same env."
        row(name, unit(name), name)
        if (name ~ /^pingpong/) {
            split(name, part, "/")
            if (part[2] >= 1048576) {
                printf "%-32s %-4s %11.2f %11.2f %11.2f\n", "  bandwidth", "GB/s", part[2] / middle(name, "native") / 1e3,
                    part[2] / middle(name, "same") / 1e3, part[2] / middle(name, "layer") / 1e3
            }
        }
        if (name ~ /^matmul.*wall/) printf "%-32s %-4s %11s %11s %11.1f\n", "  interleavings", "1/s", "", "", 1e3 / middle(name, "layer")
    }
    for (n = 1; n <= names; n++) {
        name = order[n]
        if (name !~ /^(parts|jobs|central|explorer|workers|snapshots|reports|receives|states)/) continue
        if (!headed_figures++) printf "%-40s %-4s %13s   %s\n", "", "", "median", "smallest - largest"
        middle_one = middle(name, "each")
        for (i = 1; i <= times[name, "each"]; i++) figures[i] = value[name, "each", i]
        median(figures, times[name, "each"])
        printf "%-40s %-4s %13.2f   %s - %s\n", name, figure_unit(name), middle_one, figures[1], figures[times[name, "each"]]
    }
    for (n = 1; n <= names; n++) {
        name = order[n]
        if (name !~ /^clocks/) continue
        if (!headed_clocks++) printf "%-32s %-4s %11s %11s   %-22s\n", "", "", "lamport", "vector", "ratio"
        printf "%-32s %-4s %11.2f %11.2f   %-22s\n", name, unit(name), middle(name, "lamport"), middle(name, "vector"),
            ratios_of(name, "vector", "lamport")
    }
    for (n = 1; n <= names; n++) {
        name = order[n]
        if (name !~ /^deadlocks.decided/) continue
        if (!headed_decisions++) printf "%-32s %-4s %11s %11s\n", "", "", "median", "largest"
        median_here = middle(name, "layer")
        largest = 0
        for (i = 1; i <= times[name, "layer"]; i++) if (value[name, "layer", i] + 0 > largest) largest = value[name, "layer", i] + 0
        printf "%-32s %-4s %11.2f %11.2f\n", name, "ms", median_here, largest
    }
    name = "deadlocks/sweep"
    if (name in known) {
        printf "%-32s %-4s %11s %11s   %-22s\n", "", "", "clean", "deadlocking", "ratio"
        printf "%-32s %-4s %11.2f %11.2f   %-22s\n", name, "1/s", middle(name, "clean"), middle(name, "deadlock"),
            ratios_of(name, "deadlock", "clean")
    }
}
