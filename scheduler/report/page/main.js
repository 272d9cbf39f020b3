// The page: its data, its views and which of them is shown.

/** Each with its name, its title, what makes it, and for which results there is something in it. */
const VIEWS = [
  ['hang', 'The hang', hangView, (data) => data.watched],
  ['findings', 'Findings', findingsView, (data) => !data.watched],
  ['interleaving', 'Interleaving', interleavingView, (data) => data.worst_first.length > 0 && !data.watched],
  ['difference', 'Difference', differenceView, (data) => data.worst_first.length > 0 && !data.watched],
  ['choices', 'Choices', treeView, (data) => !data.watched],
  ['waits', 'Who waits for whom', waitsView, (data) => data.worst_first.some((entry) => findingOf(data, entry).wait_for)],
  ['order', 'What the order changes', orderView, (data) => data.order_of_messages],
  ['about', 'What was done', aboutView, (data) => !data.watched],
];

class Page {
  constructor(data) {
    this.data = data;
    this.entry = data.worst_first[0] || null;  // the finding that views are about
    this.tabs = new Map(VIEWS.filter((view) => view[3](data)).map(([name, title]) => [name, make('button', {role: 'tab', id: 'tab-' + name, 'aria-controls': 'view',
      onclick: () => this.show(name)}, title)]));
    document.getElementById('tabs').append(...this.tabs.values());
    const good = {clean: 'good', violations: 'bad', incomplete: 'maybe', error: 'bad', hang: 'bad'}[data.verdict];
    document.title = 'dampi: ' + data.program;
    document.getElementById('head').append(
      make('h1', {}, make('span', {class: 'badge ' + good}, data.verdict),
        [data.program, ...data.arguments].join(' ') + ' with ' + (data.processes === 1 ? '1 process' : data.processes + ' processes')),
      make('p', {class: 'faint'}, data.verdict_line.replace(/^dampi: /, '')));
    addEventListener('hashchange', () => this.showNamed());
    addEventListener('resize', () => this.diagram && this.diagram.layOut());
    this.showNamed();
  }

  showNamed() {
    const name = location.hash.slice(1);
    this.show(this.tabs.has(name) ? name : this.tabs.keys().next().value);
  }

  /** Shows a view; of this finding, if one is named. */
  show(name, entry) {
    this.entry = entry || this.entry;
    this.diagram = null;
    const [, , view] = VIEWS.find((each) => each[0] === name);
    for (const [each, tab] of this.tabs) {
      tab.setAttribute('aria-selected', String(each === name));
    }
    const shown = document.getElementById('view');
    shown.setAttribute('aria-labelledby', 'tab-' + name);
    shown.replaceChildren(...[view(this)].flat(4).filter((child) => child));
    if (this.shown !== name) {
      scrollTo(0, 0);
    }
    this.shown = name;
    history.replaceState(null, '', '#' + name);
    shown.setAttribute('data-view', name);
  }

  /** To choose among the findings, where there are several. */
  chooser(wanted) {
    const entries = this.data.worst_first.filter(wanted || (() => true));
    if (entries.length < 2) {
      return null;
    }
    const list = make('select', {'aria-label': 'finding', onchange: () => this.show(this.shown, entries[Number(list.value)])},
      entries.map((entry, i) => make('option', {value: i, selected: entry === this.entry}, headline(this.data, entry))));
    return make('div', {class: 'row'}, list);
  }
}

/** The data as it stands in the page, or compressed. */
async function readData() {
  const element = document.getElementById('data');
  if (element.type === 'application/json') {
    return JSON.parse(element.textContent);
  }
  const packed = Uint8Array.from(atob(element.textContent), (digit) => digit.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate'));
  return JSON.parse(await new Response(stream).text());
}

readData().then((data) => {
  globalThis.page = new Page(data);
}).catch((error) => {
  document.getElementById('view').append(make('p', {}, 'This page cannot be shown: ' + error + '. The same result is in the file of JSON beside it.'));
  throw error;
});
