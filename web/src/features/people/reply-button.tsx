import type { Review } from '@sought/contract/reviews'
import { lazy, Suspense, useState } from 'react'
import { Button } from '../../ui/forms/button.tsx'

const ReplyForm = lazy(() => import('./reply-form.tsx'))

export function ReplyButton({ review }: { review: Review }) {
  const [isOpen, setIsOpen] = useState(false)
  if (!isOpen)
    return (
      <Button variant="quiet" size="sm" className="justify-self-start" onClick={() => setIsOpen(true)}>
        Reply
      </Button>
    )
  return (
    <Suspense>
      <ReplyForm review={review} onClose={() => setIsOpen(false)} />
    </Suspense>
  )
}
