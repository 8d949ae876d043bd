import { Stack, Text, Title } from '@mantine/core'
import type { Run } from '../place.tsx'
import classes from './answer.module.css'
import { Headers } from './Headers.tsx'
import { TextRows } from './TextRows.tsx'

/** The request as sent, with secrets masked, and its redirect hops. */
export const Sent = ({ run: { request, hops } }: { run: Run }) => (
  <Stack gap="md">
    <code className={classes.line}>
      {request.method} {request.url}
    </code>
    {request.headers.length > 0 && <Headers headers={request.headers} />}
    {request.body !== null && request.body !== '' && <TextRows label="Body as sent" text={request.body} />}
    {hops.length > 0 && (
      <section>
        <Title order={3}>Hops</Title>
        <ol className={classes.hops}>
          {hops.map(({ url, address, status }, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- a redirect can lead to the same address again
            <li key={index}>
              <code>{url}</code>
              <Text size="sm" c="dimmed">
                {address ?? 'not sent'}
                {status !== null && `, answered ${status}`}
              </Text>
            </li>
          ))}
        </ol>
      </section>
    )}
  </Stack>
)
