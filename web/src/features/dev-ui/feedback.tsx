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

const empties = [
  { drawing: 'board', title: 'No requests found', text: 'Post the first request.' },
  {
    drawing: 'letters',
    title: 'No messages yet',
    text: 'Message a buyer from a request to start a conversation.',
  },
  { drawing: 'parcel', title: 'No transactions yet', text: 'Items you buy or sell will appear here.' },
  { drawing: 'lens', title: 'Nothing matches', text: 'No disputes match your current filters.' },
] as const satisfies readonly { drawing: DrawingName; title: string; text: string }[]

export function Feedback() {
  return (
    <>
      <Group title="Notices">
        <Notice title="Funds stay in escrow">Resolution is aimed at 3-5 business days.</Notice>
        <Notice tone="success" title="Your account is ready">
          Payouts reach your bank in 3-5 business days.
        </Notice>
        <Notice
          tone="warning"
          title="Setup is not finished"
          action={
            <Button size="sm" variant="secondary">
              Continue setup
            </Button>
          }
        >
          You can receive offers, but no payouts yet.
        </Notice>
        <Notice tone="danger" title="Payment Failed">
          Your card was declined. Nothing was charged.
        </Notice>
        <Example label="Toasts: one at a time, for five seconds. F8 focuses it">
          <Row>
            <Button
              variant="secondary"
              onClick={() => toast({ title: 'Offer Sent!', description: 'The buyer has been notified.' })}
            >
              Show a toast
            </Button>
            <Button
              variant="secondary"
              onClick={() =>
                toast({
                  title: 'Login Required',
                  description: 'Please log in to post wanted items',
                  variant: 'destructive',
                  action: { label: 'Log in', onPress: () => {} },
                })
              }
            >
              Show a destructive toast
            </Button>
          </Row>
        </Example>
      </Group>
      <Group title="Waiting">
        <Columns>
          <Card>
            <FullPageSpinner />
          </Card>
          <Card>
            <div className="grid gap-3">
              <Row>
                <Skeleton className="size-10 rounded-round" />
                <Skeleton className="h-4 w-40" />
              </Row>
              <Skeleton className="h-4 w-full" />
              <Skeleton className="h-4 w-3/4" />
              <Row>
                <Spinner className="text-accent" /> <span className="text-ink-soft">Sending</span>
              </Row>
            </div>
          </Card>
        </Columns>
      </Group>
      <Group title="Empty states">
        <Columns>
          {empties.map((empty) => (
            <EmptyState
              key={empty.drawing}
              drawing={empty.drawing}
              title={empty.title}
              headingLevel="h3"
              action={empty.drawing === 'board' && <Button>Post Your Request</Button>}
            >
              {empty.text}
            </EmptyState>
          ))}
          <ErrorState onRetry={() => {}} />
          <ErrorState
            title="Failed to fetch wanted items"
            message="The server answered with an error."
            onRetry={() => {}}
            busy
          />
        </Columns>
      </Group>
      <Group title="Long text">
        <Prose
          sections={[
            { id: 'prose-eligible', title: 'Refund eligibility' },
            { id: 'prose-process', title: 'Process and timeline' },
          ]}
        >
          <h2 id="prose-eligible">Refund eligibility</h2>
          <p>
            Every payment is held in escrow. If the item does not arrive, or is not as described,{' '}
            <a href="#prose-process">file a dispute</a> before it is released.
          </p>
          <ul>
            <li>The item did not arrive within the time agreed.</li>
            <li>
              It is materially different from what the seller described, and the seller will not put it right.
            </li>
          </ul>
          <h2 id="prose-process">Process and timeline</h2>
          <ol>
            <li>Write to the seller and wait 48 hours.</li>
            <li>File the dispute with your evidence.</li>
          </ol>
          <h3>How long it takes</h3>
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
              <tr>
                <td>Bank</td>
                <td>5-7 business days</td>
              </tr>
            </tbody>
          </table>
        </Prose>
      </Group>
    </>
  )
}
