import { Text } from '@mantine/core'
import type { Output } from '@sortie/client/calls.ts'
import { useQuery } from '@tanstack/react-query'
import { linkTo, query } from '../../../api/api.ts'
import { FORMAT_LABELS, type Report } from '../../../domain/reports/report-words.tsx'
import { paths } from '../../../paths.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { QueryView } from '../../../shell/reads/QueryView.tsx'
import { ButtonLink } from '../../../shell/routing/links.tsx'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { ListSkeleton } from '../../../ui/feedback/ListSkeleton.tsx'
import { IconDownload, IconLock } from '../../../ui/icons.tsx'
import { DataTable } from '../../../ui/lists/DataTable.tsx'
import { IconArrowsDiff } from '../../../ui/page-icons.tsx'
import { CopyId } from '../../../ui/values/CopyId.tsx'
import { formatBytes } from '../../../ui/values/format-bytes.ts'
import { TimeAgo } from '../../../ui/values/TimeAgo.tsx'
import classes from './editions.module.css'
import { VerifyFile } from './VerifyFile.tsx'

type Edition = Output<'listReportEditions'>['data'][number]

/** What was delivered: editions with their files and hashes, and a check of a file. */
export const Editions = ({ report }: { report: Report }) => {
  const { id } = useOrganization()
  const read = useQuery(query(id, 'listReportEditions', { params: { reportId: report.id } }))
  return (
    <div className={classes.editions}>
      <QueryView query={read} skeleton={<ListSkeleton rows={3} height={120} />}>
        {({ data }) => (
          <>
            {data.length === 0 && (
              <EmptyState icon={<IconLock size={32} stroke={1.4} />} title="Not delivered yet">
                A delivery creates an edition: files with their SHA-256, the data behind them, and who approved them.
                None of it changes afterwards.
              </EmptyState>
            )}
            {data.map((edition) => (
              <One key={edition.id} report={report} edition={edition} />
            ))}
          </>
        )}
      </QueryView>
      <VerifyFile />
    </div>
  )
}

const One = ({ report, edition }: { report: Report; edition: Edition }) => {
  const { id, slug } = useOrganization()
  const {
    number,
    note,
    createdAt,
    createdBy,
    approvedBy,
    templateVersion,
    compilerVersion,
    signedBy,
    encrypted,
    files,
  } = edition
  return (
    <section className={classes.edition} aria-label={`Edition ${number}`}>
      <div className={classes.editionHead}>
        <h2>Edition {number}</h2>
        <ButtonLink
          variant="default"
          size="compact-sm"
          to={`${paths.report(slug, report.engagementId, report.id)}?view=compare&from=${edition.id}&to=draft`}
          leftSection={<IconArrowsDiff size={14} aria-hidden />}
        >
          Compare
        </ButtonLink>
      </div>
      <Text size="sm" c="dimmed" component="div">
        Delivered <TimeAgo iso={createdAt} /> by {createdBy?.name ?? 'an API key'}
        {approvedBy && ` · Approved by ${approvedBy.name}`} · Template version {templateVersion} · {compilerVersion}
      </Text>
      {(signedBy !== null || encrypted) && (
        <Text size="sm" c="dimmed">
          {[signedBy !== null && `PDF signed by ${signedBy}`, encrypted && 'PDF opens with a password']
            .filter((fact) => fact !== false)
            .join(' · ')}
        </Text>
      )}
      {note !== '' && <p className={classes.note}>{note}</p>}
      <DataTable
        label={`Files of edition ${number}`}
        rows={files}
        rowKey={({ format }) => format}
        columns={[
          { header: 'Format', cell: ({ format }) => FORMAT_LABELS[format], nowrap: true },
          { header: 'Size', cell: ({ size }) => formatBytes(size), nowrap: true },
          { header: 'SHA-256', kind: 'secondary', cell: ({ sha256 }) => <CopyId id={sha256} /> },
          {
            header: 'Actions',
            kind: 'actions',
            cell: ({ format }) => (
              <a
                className={classes.download}
                href={linkTo(id, 'downloadReportEdition', { params: { editionId: edition.id, format } })}
                download
              >
                <IconDownload size={14} aria-hidden />
                Download<span className="visually-hidden"> {FORMAT_LABELS[format]}</span>
              </a>
            ),
          },
        ]}
      />
    </section>
  )
}
