// The last view: what was done, what "complete" means here, and what nobody has looked at.

function aboutView(page) {
  const data = page.data;
  const runs = data.interleavings;
  const bounds = data.bounds;
  const names = (list) => list.length > 0 ? list.join(', ') : 'none';
  const size = data.size_estimate;
  const rows = [
    ['program', [data.program, ...data.arguments].join(' ')],
    ['processes', String(data.processes)],
    ['verdict', data.verdict + (data.cached ? ', cached: nothing was run, all is from ' + data.cached : '')],
    ['interleavings', runs.explored + ' run' + Object.entries(runs.by_buffering).map(([mode, counts], i) => (i === 0 ? ': ' : ', ') +
      counts.explored + ' with ' + mode + ' buffering').join('') + (runs.pending > 0 ? '; ' + runs.pending + ' known and not run' : '')],
    ['further runs', runs.trials + ' to see whether false answers of polling calls matter, ' + runs.walk_runs + ' of random walks, ' +
      runs.unfinished + ' not finished'],
    ['duplicates, divergences, imprecise matches', (runs.duplicates === null ? 'not counted' : runs.duplicates) + ', ' + runs.divergences +
      ', ' + runs.imprecise_matches],
    ['estimate of all', size && size.interleavings !== null ? 'about ' + Math.round(size.interleavings) + ', from ' + counted(size.ended, 'random walk') : 'none was made'],
    ['time', data.seconds.toFixed(2) + ' s'],
    ['engine', data.engine + (data.handed_over ? ' (the centralized one began and handed over)' : '') +
      (data.engine_reason ? ': ' + data.engine_reason : '')],
    ['repeated by MPI itself', !data.first_run_repeated_by_mpi ? 'no run' :
      'the first run: ' + data.first_run_repeated_by_mpi.result +
      (data.first_run_repeated_by_mpi.what ? ': ' + data.first_run_repeated_by_mpi.what : '')],
    ['clocks', data.clock],
    ['MPI library', (data.mpi_library.path || 'as the program finds it') + (data.mpi_library.patched ? ', patched' : '')],
    ['piggyback', data.piggyback],
    ['virtual time', (data.virtual_time ? 'yes' : 'no') + (data.time_reason ? ': ' + data.time_reason : '')],
    ['launcher', data.launcher || 'dampi-run itself'],
    ['good exit statuses beside 0, functions that only pass on', names(data.exit_ok) + ', ' + names(data.wrappers)],
    ['order, seed', data.order + ', ' + data.seed],
    ['bounds of the search', 'mixing bound ' + (bounds.mixing_bound === null ? 'none' : bounds.mixing_bound + ' ' + bounds.mixing_unit) +
      ', loop bound ' + (bounds.loop_bound === null ? 'none' : bounds.loop_bound) + ', looked at: ' + (bounds.explore.length > 0 ? bounds.explore.join(', ') : 'everything') +
      ', skipped: ' + names(bounds.skip)],
    ['dampi', data.dampi]];
  const unmodelled = Object.entries(data.not_modelled);
  const makers = data.left_out.filter((left) => left.reason === 'not-modelled').flatMap((left) => left.places);
  return [make('h2', {}, 'What was done'),
    make('div', {class: 'wide'}, make('table', {}, make('tbody', {}, rows.map(([name, text]) => make('tr', {}, make('th', {}, name), make('td', {}, text)))))),
    data.error ? make('p', {}, make('span', {class: 'badge bad'}, 'ended early'), data.error) : null,
    make('h2', {}, 'What complete means here'), make('p', {}, data.complete_means),
    data.left_out.length > 0 ? make('ul', {}, data.left_out.map((each) => make('li', {}, each.what + (each.remedy ? ' (' + each.remedy + ')' : '')))) : null,
    data.resume ? make('p', {}, 'To go on: ', make('code', {}, data.resume)) : null,
    make('h2', {}, 'What is not checked'),
    data.not_checked.length > 0 ? make('p', {}, 'No verdict speaks of: ' + data.not_checked.join(', ') + '.') : make('p', {}, 'Nothing that is known to be missing.'),
    make('h2', {}, 'What is not modelled'),
    unmodelled.length > 0 ? make('ul', {}, unmodelled.map(([name, calls]) => make('li', {}, make('code', {}, name), ', ' + counted(calls, 'call'),
      makers.filter((place) => place.call === name && place.where).map((place) => [', ', make('code', {}, placeText(place.where))]))))
      : make('p', {}, 'The program called nothing that is not modelled.')];
}
