import { FileButton, Button, Loader } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { call, messageOf } from '../../../api/api.ts'
import { FORMAT_LABELS } from '../../../domain/reports/report-words.tsx'
import { paths } from '../../../paths.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { TextLink } from '../../../shell/routing/links.tsx'
import { useDroppedFiles } from '../../../shell/uploads/dropped-files.ts'
import { StatusLabel } from '../../../ui/feedback/StatusLabel.tsx'
import { TimeAgo } from '../../../ui/values/TimeAgo.tsx'
import classes from './editions.module.css'

/** Finds the edition that a file is: dropped or chosen, compared by the server, and not kept. */
export const VerifyFile = () => {
  const { id, slug } = useOrganization()
  const zone = useRef<HTMLDivElement>(null)
  const verify = useMutation({
    mutationFn: async (file: File) => ({
      name: file.name,
      found: (await call(id, 'verifyEdition', { body: file }, { retries: 0 })).data,
    }),
  })
  const check = (file: File | null | undefined) => file && verify.mutate(file)
  const isOver = useDroppedFiles(
    () => zone.current,
    ([file]) => check(file),
  )
  const edition = verify.data?.found.edition
  const format = verify.data?.found.format
  return (
    <section className={classes.verify} aria-label="Verify a file">
      <h2>Verify a file</h2>
      <div ref={zone} className={classes.zone} data-over={isOver || undefined}>
        <span>Drop a file here to find out which edition it is, and whether it is unchanged.</span>
        <FileButton onChange={check}>
          {(props) => (
            <Button {...props} variant="default" loading={verify.isPending}>
              Choose a file
            </Button>
          )}
        </FileButton>
      </div>
      <div role="status" className={classes.outcome}>
        {verify.isPending && <Loader size={14} />}
        {verify.error && <StatusLabel tone="bad">{messageOf(verify.error)}</StatusLabel>}
        {verify.data && !verify.isPending && !verify.error && (
          <>
            {edition && format ? (
              <>
                <StatusLabel tone="good">{`${verify.data.name} is unchanged`}</StatusLabel>
                <span>
                  {FORMAT_LABELS[format]} of{' '}
                  <TextLink to={`${paths.report(slug, edition.engagementId, edition.reportId)}?view=editions`}>
                    {`edition ${edition.number}`}
                  </TextLink>
                  , delivered <TimeAgo iso={edition.createdAt} /> by {edition.createdBy?.name ?? 'an API key'}
                </span>
              </>
            ) : (
              <>
                <StatusLabel tone="bad">{`${verify.data.name} is not a file of an edition`}</StatusLabel>
                <span>
                  It was changed after it was delivered, or it never was. Renders of a draft are not editions.
                </span>
              </>
            )}
          </>
        )}
      </div>
    </section>
  )
}
