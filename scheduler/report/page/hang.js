// The first view of a job that hangs: what its ranks were doing.

function hangView(page) {
  const data = page.data;
  const entry = data.worst_first[0];
  const finding = findingOf(data, entry);
  return [make('h2', {}, 'What the ranks were doing'),
    data.basis.map((line) => make('p', {}, line)),
    finding.wait_for ? make('div', {class: 'row'}, make('button', {onclick: () => page.show('waits', entry)}, 'Who waits for whom')) : null,
    stateList(data, finding)];
}
