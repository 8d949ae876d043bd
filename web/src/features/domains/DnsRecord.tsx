import { CopyButton } from '../../ui/values/CopyButton.tsx'
import classes from './domains.module.css'

/** A TXT record to copy into a DNS zone, part by part. */
export const DnsRecord = ({ name, value }: { name: string; value: string }) => (
  <dl className={classes.record}>
    <Part label="Type" value="TXT" />
    <Part label="Name" value={name} copyLabel="Copy name" />
    <Part label="Value" value={value} copyLabel="Copy value" />
  </dl>
)

const Part = ({ label, value, copyLabel }: { label: string; value: string; copyLabel?: string }) => (
  <div>
    <dt>{label}</dt>
    <dd>
      <code translate="no">{value}</code>
      {copyLabel && <CopyButton value={value} label={copyLabel} />}
    </dd>
  </div>
)
