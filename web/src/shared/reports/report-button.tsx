import { Flag } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useReadiness } from '../../ui/base/hydration.ts'
import { Button } from '../../ui/forms/button.tsx'
import { useSignInFirst } from '../sign-in/use-sign-in-first.ts'
import type { ReportTarget } from './report-dialog.tsx'

const ReportDialog = lazy(() => import('./report-dialog.tsx'))

interface Props {
  target: ReportTarget
  /** `text` for lines of small text, such as below a message. */
  look?: 'button' | 'text' | undefined
}

/** Opens the form to report something to our moderators. */
export function ReportButton({ target, look = 'button' }: Props) {
  const [isOpen, setIsOpen] = useState(false)
  const signInFirst = useSignInFirst()
  const readiness = useReadiness()
  const open = () => signInFirst('report something', () => setIsOpen(true))
  return (
    <>
      {look === 'button' ? (
        <Button variant="quiet" onClick={open}>
          <Flag aria-hidden="true" />
          Report
        </Button>
      ) : (
        <button
          type="button"
          onClick={open}
          className="min-h-6 rounded-control text-fine text-ink-soft underline-offset-2 hover:text-ink hover:underline"
          {...readiness}
        >
          Report
        </button>
      )}
      {isOpen && (
        <Suspense>
          <ReportDialog target={target} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
