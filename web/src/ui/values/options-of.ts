/** Options of a select field: value and label, in the order of the labels. */
export const optionsOf = <W extends string>(labels: Readonly<Record<W, string>>): { value: W; label: string }[] =>
  (Object.entries(labels) as [W, string][]).map(([value, label]) => ({ value, label }))
