import {
  type NewReview,
  REVIEW_TAGS_MAX,
  REVIEW_TEXT_MAX_LENGTH,
  type ReviewedAs,
  type ReviewTag,
} from '@sought/contract/reviews'
import type { ReactNode } from 'react'
import type * as z from 'zod/mini'
import type { EntryForm } from '../../shared/forms/entry-form.ts'
import { Form } from '../../shared/forms/form.tsx'
import { BackButton } from '../../shared/navigation/back-button.tsx'
import { LinkButton } from '../../shared/navigation/links.tsx'
import { tagLabels, tagsFor } from '../../shared/reviews/review-tags.ts'
import { StarsInput } from '../../ui/display/stars.tsx'
import { Chip } from '../../ui/forms/chip.tsx'
import { TextArea } from '../../ui/forms/text-area.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { Page } from '../../ui/layout/page.tsx'

interface WriteReviewProps {
  title: string
  lead: string
  /** The name of the form and of its button. */
  name: 'Rating' | 'Review'
  textLabel: string
  /** The role of the reviewed person in the deal. */
  about: ReviewedAs
  form: EntryForm<z.input<typeof NewReview>, z.output<typeof NewReview>>
  /** Where 'Not now' leads. */
  laterPath: string
  /** Shown below the fields. */
  note?: ReactNode
  /** Shown above the form. */
  children: ReactNode
}

/** The page of a review or a rating: required stars, and optional tags and text. */
export function WriteReview({ title, lead, name, about, form, laterPath, ...props }: WriteReviewProps) {
  const { value: tags = [], onValueChange: changeTags } = form.control('tags')
  return (
    <Page title={title} lead={lead} back={<BackButton fallback={laterPath} />} width="column">
      <Card padding="lg" className="grid grid-cols-[minmax(0,1fr)] gap-6">
        {props.children}
        <Form
          form={form}
          name={name}
          className="gap-6"
          submitLabel={`Submit ${name}`}
          aside={
            <LinkButton to={laterPath} variant="quiet">
              Not now
            </LinkButton>
          }
        >
          <StarsInput label="Your rating" {...form.control('rating')} />
          <TagsInput about={about} value={tags} onValueChange={changeTags} />
          <TextArea
            label={props.textLabel}
            optional
            maxLength={REVIEW_TEXT_MAX_LENGTH}
            {...form.field('text')}
          />
          {props.note && <p className="text-fine text-ink-soft">{props.note}</p>}
        </Form>
      </Card>
    </Page>
  )
}

interface TagsInputProps {
  /** The role of the reviewed person in the deal. */
  about: ReviewedAs
  value: readonly ReviewTag[]
  onValueChange: (tags: ReviewTag[]) => void
}

/** Up to three tags for what stood out. */
function TagsInput({ about, value, onValueChange }: TagsInputProps) {
  const isFull = value.length === REVIEW_TAGS_MAX
  const toggle = (tag: ReviewTag) =>
    onValueChange(value.includes(tag) ? value.filter((it) => it !== tag) : [...value, tag])
  return (
    <fieldset className="grid min-w-0 gap-1.5">
      <legend className="mb-1.5 font-strong">
        What stood out?{' '}
        <span className="font-normal text-fine text-ink-soft">
          Optional, up to {REVIEW_TAGS_MAX}
          {isFull && ' (all chosen)'}
        </span>
      </legend>
      <div className="flex flex-wrap gap-2">
        {tagsFor[about].map((tag) => {
          const isChosen = value.includes(tag)
          return (
            <Chip
              key={tag}
              pressed={isChosen}
              disabled={isFull && !isChosen}
              className="disabled:opacity-50"
              onClick={() => toggle(tag)}
            >
              {tagLabels[tag]}
            </Chip>
          )
        })}
      </div>
    </fieldset>
  )
}
