// With --explain-order: what the order of messages changes in the ranks' memory, variable by variable, where two runs
// differ.

/** A variable in words, and where it is declared. */
function variableText(variable) {
  const place = variable.file ? variable.file.split('/').pop() + ':' + variable.line : '';
  const where = [variable.kind === 'heap' ? 'to which it points' : '', place].filter((part) => part).join(', ');
  return [counted(variable.bytes, 'byte') + ' of ', make('code', {}, variable.name), where ? ' (' + where + ')' : ''];
}

/** One variable, and its value on either side where its type says how to write it. */
function variableCard(data, variable, numbers) {
  const side = (name, number, value) => make('div', {class: 'differs ' + name}, make('strong', {}, 'Interleaving ' + number + ' '),
    make('code', {}, value));
  const told = variable.one !== null && variable.other !== null;
  return make('div', {class: 'state'}, make('div', {}, variableText(variable)),
    told ? make('div', {}, make('code', {}, variable.first), variable.type ? ' (' + variable.type + ')' : '', ' is then') : null,
    told ? make('div', {class: 'sides'}, side('failing', numbers[0], variable.one), side('passing', numbers[1], variable.other)) : null,
    variable.file ? excerpt(data, {file: variable.file, line: variable.line}) : null);
}

function effectParts(data, effect) {
  const others = effect.also.length > 0 ? ', and so it is in ' + numbered(effect.also, 'rank') : '';
  return [make('h2', {}, 'What rank ' + effect.rank + ' computes'),
    make('p', {}, 'These variables differ when it calls ' + callAt(effect.call, effect.where) + others + ':'),
    effect.variables.map((variable) => variableCard(data, variable, effect.interleavings)),
    make('h3', {}, 'What came out differently'),
    effect.choices.map((choice) => make('div', {class: 'state'}, callAt(choice.call, choice.where), excerpt(data, choice.where))),
    effect.taken.map((taken) => make('p', {}, 'Rank ' + taken.rank + ', in order: ', make('code', {}, taken.one), ' in interleaving ' +
      effect.interleavings[0] + ', and ', make('code', {}, taken.other), ' in interleaving ' + effect.interleavings[1] + '.'))];
}

function orderView(page) {
  const order = page.data.order_of_messages;
  const head = make('h2', {}, 'What the order of messages changes');
  if (order.effects.length > 0) {
    return order.effects.map((effect) => effectParts(page.data, effect));
  }
  if (order.why_not) {
    return [head, make('p', {}, 'That cannot be told: ' + order.why_not + '.')];
  }
  return [head, make('p', {}, order.nothing_differs ?
    'Nothing that the ranks have computed at their end: in all outcomes each of them has the same memory in MPI_Finalize.' :
    'No variable is known that it changes; compared: ' + counted(order.compared, 'interleaving') + '.')];
}
