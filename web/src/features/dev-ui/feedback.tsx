import { toast } from '../../data/toasts.ts'
import type { DrawingName } from '../../ui/display/drawing.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { Notice } from '../../ui/feedback/notice.tsx'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import { FullPageSpinner, Spinner } from '../../ui/feedback/spinner.tsx'
import { Button } from '../../ui/forms/button.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { Prose } from '../../ui/layout/prose.tsx'
import { Columns, Example, Group, Row } from './gallery.tsx'

const notices = [
  { tone: 'info', title: 'Funds stay in escrow', text: 'Resolution is aimed at 3-5 business days.' },
  { tone: 'success', title: 'Your account is ready', text: 'Payouts reach your bank in 3-5 business days.' },
  { tone: 'warning', title: 'Setup is not finished', text: 'You can receive offers, but no payouts yet.' },
  { tone: 'danger', title: 'Payment Failed', text: 'Your card was declined. Nothing was charged.' },
] as const

const empties: Record<DrawingName, string> = {
  board: 'No requests found',
  letters: 'No messages yet',
  parcel: 'No transactions yet',
  lens: 'Nothing matches',
  torn: 'Page not found',
}

export function Feedback() {
  return (
    <>
      <Group title="Notices">
        {notices.map(({ tone, title, text }) => (
          <Notice
            key={tone}
            tone={tone}
            title={title}
            action={tone === 'warning' && <Button size="sm">Continue setup</Button>}
          >
            {text}
          </Notice>
        ))}
        <Example label="Toasts: one at a time, for five seconds. F8 focuses it">
          <Row>
            {(['default', 'destructive'] as const).map((variant) => (
              <Button
                key={variant}
                variant="secondary"
                onClick={() =>
                  toast({ variant, title: 'Offer Sent!', description: 'The buyer has been notified.' })
                }
              >
                Show a {variant} toast
              </Button>
            ))}
          </Row>
        </Example>
      </Group>
      <Group title="Waiting">
        <Columns>
          <Card>
            <FullPageSpinner />
          </Card>
          <Card className="grid gap-3">
            <Skeleton className="size-10 rounded-round" />
            <Skeleton className="h-4 w-3/4" />
            <Row>
              <Spinner className="text-accent" /> <span className="text-ink-soft">Sending</span>
            </Row>
          </Card>
        </Columns>
      </Group>
      <Group title="Empty states">
        <Columns>
          {Object.entries(empties).map(([drawing, title]) => (
            <EmptyState
              key={drawing}
              drawing={drawing as DrawingName}
              title={title}
              headingLevel="h3"
              action={drawing === 'board' && <Button>Post Your Request</Button>}
            >
              What would be here appears when there is something to show.
            </EmptyState>
          ))}
          <ErrorState onRetry={() => {}} />
          <ErrorState title="Failed to fetch wanted items" message="Try again." onRetry={() => {}} busy />
        </Columns>
      </Group>
      <Group title="Long text">
        <Prose sections={[{ id: 'prose-eligible', title: 'Refund eligibility' }]}>
          <h2 id="prose-eligible">Refund eligibility</h2>
          <p>
            Every payment is held in escrow. If the item does not arrive, or is not as described,{' '}
            <a href="#prose-eligible">file a dispute</a> before it is released.
          </p>
          <ul>
            <li>The item did not arrive within the time agreed.</li>
          </ul>
          <h3>How long it takes</h3>
          <ol>
            <li>Write to the seller and wait 48 hours.</li>
          </ol>
          <table>
            <thead>
              <tr>
                <th>Method</th>
                <th>Time</th>
              </tr>
            </thead>
            <tbody>
              <tr>
                <td>Credit card</td>
                <td>3-5 business days</td>
              </tr>
            </tbody>
          </table>
        </Prose>
      </Group>
    </>
  )
}
