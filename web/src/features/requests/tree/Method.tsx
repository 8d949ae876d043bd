import classes from '../requests.module.css'

const SHORT: Partial<Record<string, string>> = { DELETE: 'DEL', OPTIONS: 'OPT' }

/** A method in a narrow column, coloured by method. Screen readers read it in full. */
export const Method = ({ method }: { method: string }) => (
  <abbr className={classes.method} data-method={method} title={method}>
    {(SHORT[method] ?? method).slice(0, 5)}{' '}
  </abbr>
)
