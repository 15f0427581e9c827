import type { Market } from '@sought/contract/platform'
import { Notice } from '../ui/feedback/notice.tsx'

type ClosedMode = Exclude<Market['mode'], 'open'>

const notices: Record<ClosedMode, { title: string; text: string }> = {
  read_only: {
    title: 'The market is read-only',
    text: 'You can look around and sign in, but nothing can be changed at the moment. Please try again later.',
  },
  maintenance: {
    title: 'The market is closed for maintenance',
    text: 'Only admins can use it until it is opened again in the settings.',
  },
}

/** Tells everyone on every page that the market is not open. */
export default function MarketNotice({ mode }: { mode: ClosedMode }) {
  const { title, text } = notices[mode]
  return (
    <section aria-label="Market status" className="mx-auto w-full max-w-board px-4 pt-4 sm:px-6 print:hidden">
      <Notice tone="warning" title={title}>
        {text}
      </Notice>
    </section>
  )
}
