import {
  createExport,
  EXPORT_KINDS,
  type ExportJob,
  type ExportKind,
  getExport,
  listExports,
  NewExport,
  retryExport,
} from '@sought/contract/exports'
import { Download } from 'lucide-react'
import { useRead, useReadPages } from '../../../data/calls.ts'
import { explainFailure, useAction } from '../../../data/use-action.ts'
import { formatDateTime } from '../../../format/dates.ts'
import { useContractForm } from '../../../shared/forms/contract-form.ts'
import { Form } from '../../../shared/forms/form.tsx'
import { PagedList } from '../../../shared/loading/paged-list.tsx'
import { ConfirmedDownload } from '../../../shared/sign-in/confirmed-download.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { ProgressBar } from '../../../ui/feedback/progress-bar.tsx'
import { Button } from '../../../ui/forms/button.tsx'
import { Select } from '../../../ui/forms/select.tsx'

const PAGE_SIZE = 20
/** How often the progress of a running export is fetched. */
const FOLLOW_MS = 2_000
const YEARS_SHOWN = 6

const kinds: Record<ExportKind, { label: string; explains: string }> = {
  payments: { label: 'Payments', explains: 'One row for each payment that was made in the year.' },
  fees: { label: 'Fees', explains: 'One row for each ledger entry of a fee.' },
  payouts: {
    label: 'Payouts by seller',
    explains: 'One row for each seller, by quarter and month, for DAC7 and Form 1099-K.',
  },
}

export function AdminExportsScreen() {
  return (
    <>
      <NewExportForm />
      <Exports />
    </>
  )
}

function NewExportForm() {
  const thisYear = new Date().getUTCFullYear()
  const form = useContractForm(createExport, {
    schema: NewExport,
    values: { kind: EXPORT_KINDS[0], year: thisYear },
    success: { title: 'Export Started', description: 'We notify you when it is ready.' },
    failure: explainFailure('Export Failed'),
  })
  const years = Array.from({ length: YEARS_SHOWN }, (_, ago) => String(thisYear - ago))
  return (
    <Form
      form={form}
      name="New export"
      className="mb-8 items-start gap-4 border-line border-b pb-8 sm:grid-cols-[minmax(0,1fr)_8rem_auto] sm:*:last:mt-7.5"
      submitLabel="Create Export"
    >
      <Select
        label="Content"
        hint={kinds[form.watch('kind')].explains}
        options={EXPORT_KINDS.map((value) => ({ value, label: kinds[value].label }))}
        {...form.field('kind')}
      />
      <Select
        label="Year"
        options={years.map((value) => ({ value, label: value }))}
        {...form.field('year', { setValueAs: Number })}
      />
    </Form>
  )
}

function Exports() {
  return (
    <PagedList
      pages={useReadPages(listExports, { limit: String(PAGE_SIZE) })}
      label="Exports"
      className="grid grid-cols-[minmax(0,1fr)]"
      empty={<EmptyState title="No exports yet">Choose what you need and a year.</EmptyState>}
    >
      {(job) => <ExportRow key={job.id} job={job} />}
    </PagedList>
  )
}

/** Shows the progress until the export ends. */
function ExportRow({ job: listed }: { job: ExportJob }) {
  const isRunning = listed.status === 'running'
  const followed = useRead(
    getExport,
    { params: { id: String(listed.id) } },
    {
      enabled: isRunning,
      pollMs: (it) => (it?.status === 'done' || it?.status === 'failed' ? false : FOLLOW_MS),
    },
  )
  const job = isRunning ? (followed.data ?? listed) : listed
  const name = `${kinds[job.kind].label} ${job.year}`
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-line border-t py-4 first:border-t-0">
      <div className="min-w-0 grow basis-48">
        <p className="font-strong">{name}</p>
        <p className="text-fine text-ink-soft [overflow-wrap:anywhere]">
          {formatDateTime(job.createdAt)} · {job.requestedBy.name}
        </p>
      </div>
      <State job={job} name={name} />
    </li>
  )
}

function State({ job, name }: { job: ExportJob; name: string }) {
  const { run, isPending } = useAction(retryExport, {
    failure: explainFailure('Export Failed'),
  })
  if (job.url) {
    return (
      <ConfirmedDownload href={job.url} size="sm">
        <Download aria-hidden="true" />
        Download CSV
        <span className="sr-only">: {name}</span>
      </ConfirmedDownload>
    )
  }
  if (job.status === 'failed') {
    return (
      <div className="flex flex-wrap items-center gap-3">
        <p className="text-danger">It failed.</p>
        <Button
          size="sm"
          variant="secondary"
          busy={isPending}
          onClick={() => void run({ params: { id: String(job.id) } })}
        >
          Try Again
        </Button>
      </div>
    )
  }
  return (
    <div className="grid w-40 gap-1">
      <p className="text-fine text-ink-soft tabular-nums">Running, {job.progress}%</p>
      <ProgressBar label={`Progress of ${name}`} value={job.progress / 100} />
    </div>
  )
}
