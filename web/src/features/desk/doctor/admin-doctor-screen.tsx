import { type DoctorCheck, type DoctorReport, getDoctorReport, runDoctor } from '@sought/contract/doctor'
import { useRead } from '../../../data/calls.ts'
import { explainFailure, useAction } from '../../../data/use-action.ts'
import { formatDateTime } from '../../../format/dates.ts'
import { Loaded } from '../../../shared/loading/loaded.tsx'
import { Badge, type BadgeTone } from '../../../ui/display/badge.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { Button } from '../../../ui/forms/button.tsx'

export function AdminDoctorScreen() {
  const report = useRead(getDoctorReport)
  return (
    <Loaded query={report}>
      {(it) => (
        <div className="grid gap-5">
          <RunButton />
          {it.ranAt === null ? <NeverRan /> : <Report report={it} ranAt={it.ranAt} />}
        </div>
      )}
    </Loaded>
  )
}

function RunButton() {
  const { run, isPending } = useAction(runDoctor, { failure: explainFailure('The Checks Did Not Run') })
  return (
    <Button className="justify-self-start" busy={isPending} onClick={() => run()}>
      Run the Checks
    </Button>
  )
}

const NeverRan = () => (
  <EmptyState drawing="letters" title="Not checked yet">
    The checks take up to half a minute. They change nothing.
  </EmptyState>
)

const states: Record<DoctorCheck['state'], { label: string; tone: BadgeTone; order: number }> = {
  FAIL: { label: 'Fails', tone: 'danger', order: 0 },
  warn: { label: 'Warning', tone: 'attention', order: 1 },
  ok: { label: 'OK', tone: 'accent', order: 2 },
}

function Report({ report: { checks }, ranAt }: { report: DoctorReport; ranAt: string }) {
  const sorted = checks.toSorted((one, two) => states[one.state].order - states[two.state].order)
  return (
    <section className="grid gap-3">
      <p className="text-ink-soft">Checked on {formatDateTime(ranAt)}.</p>
      <ul aria-label="Checks" className="grid grid-cols-[minmax(0,1fr)] gap-3">
        {sorted.map(({ check, state, message }) => (
          <li key={`${check} ${message}`} className="grid gap-1 border-line border-b pb-3">
            <p className="flex items-center gap-2">
              <Badge tone={states[state].tone}>{states[state].label}</Badge>
              <span className="font-strong">{check}</span>
            </p>
            <p className="[overflow-wrap:anywhere]">{message}</p>
          </li>
        ))}
      </ul>
    </section>
  )
}
