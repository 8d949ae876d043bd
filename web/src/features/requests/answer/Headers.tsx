import classes from './answer.module.css'

/** Headers in their original order. */
export const Headers = ({ headers }: { headers: readonly { name: string; value: string }[] }) => (
  <dl className={classes.headers}>
    {headers.map(({ name, value }, index) => (
      // oxlint-disable-next-line react/no-array-index-key -- a name can occur twice
      <div key={index}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)
