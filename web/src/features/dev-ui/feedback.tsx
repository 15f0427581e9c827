import { toast } from '../../data/toasts.ts'
import { Markdown, parseMarkdown } from '../../shared/policies/markdown.tsx'
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

const longText = parseMarkdown(`
## Refund eligibility
Every payment is held in escrow. If the item does not arrive, [file a dispute](https://example.com) first.
- The item did not arrive within the time agreed.
- It is **materially different** from what the seller described.
### How long it takes
1. Write to the seller and wait 48 hours.
2. File the dispute with your evidence.

| Method | Time |
| --- | --- |
| Credit card | 3-5 business days |
`)

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
        <Prose
          sections={longText.flatMap((block) =>
            block.kind === 'h2' ? [{ ...block, title: block.text }] : [],
          )}
        >
          <Markdown blocks={longText} />
        </Prose>
      </Group>
    </>
  )
}
