import { REVIEW_TEXT_MAX_LENGTH, type ReviewedAs, type ReviewTag } from '@sought/contract/reviews'
import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { Link } from 'wouter'
import { BackButton } from '../../shared/navigation/back-button.tsx'
import { StarsInput } from '../../ui/display/stars.tsx'
import { Button } from '../../ui/forms/button.tsx'
import { TextArea } from '../../ui/forms/text-area.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { TagsInput } from './tags-input.tsx'

const MISSING_STARS = 'Please select a star rating before submitting.'

interface WriteReviewProps {
  title: string
  lead: string
  /** The name of the form and of its button. */
  name: 'Rating' | 'Review'
  textLabel: string
  /** The role of the reviewed person in the deal. */
  about: ReviewedAs
  /** What was entered before. */
  draft?: { rating: number; text: string }
  busy: boolean
  /** Where 'Not now' leads. */
  laterPath: string
  onSubmit: (review: { rating: number; tags: ReviewTag[]; text: string }) => void
  /** Shown below the fields. */
  note?: ReactNode
  /** Shown above the form. */
  children: ReactNode
}

/** The page of a review or a rating: required stars, and optional tags and text. */
export function WriteReview({ title, lead, name, about, draft, laterPath, ...props }: WriteReviewProps) {
  const [rating, setRating] = useState(draft?.rating ?? 0)
  const [tags, setTags] = useState<ReviewTag[]>([])
  const [text, setText] = useState(draft?.text ?? '')
  const [isMissingStars, setIsMissingStars] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setIsMissingStars(rating === 0)
    if (rating > 0) props.onSubmit({ rating, tags, text })
    // Screen readers then read the error together with the stars.
    else form.current?.querySelector<HTMLElement>('input[type=radio]')?.focus()
  }
  return (
    <Page title={title} lead={lead} back={<BackButton fallback={laterPath} />} width="column">
      <Card padding="lg" className="grid grid-cols-[minmax(0,1fr)] gap-6">
        {props.children}
        <form ref={form} noValidate aria-label={name} onSubmit={submit} className="grid gap-6">
          <StarsInput
            label="Your rating"
            value={rating}
            onValueChange={(stars) => {
              setRating(stars)
              setIsMissingStars(false)
            }}
            error={isMissingStars ? MISSING_STARS : undefined}
          />
          <TagsInput about={about} value={tags} onValueChange={setTags} />
          <TextArea
            label={props.textLabel}
            optional
            maxLength={REVIEW_TEXT_MAX_LENGTH}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
          {props.note && <p className="text-fine text-ink-soft">{props.note}</p>}
          <div className="flex flex-wrap gap-3">
            <Button type="submit" busy={props.busy}>
              Submit {name}
            </Button>
            <Button asChild variant="quiet">
              <Link href={laterPath}>Not now</Link>
            </Button>
          </div>
        </form>
      </Card>
    </Page>
  )
}
