import { REVIEW_TAGS_MAX, type ReviewedAs, type ReviewTag } from '@sought/contract/reviews'
import { tagLabels, tagsFor } from '../../shared/reviews/review-tags.ts'
import { Chip } from '../../ui/forms/chip.tsx'

interface TagsInputProps {
  /** The role of the reviewed person in the deal. */
  about: ReviewedAs
  value: readonly ReviewTag[]
  onValueChange: (tags: ReviewTag[]) => void
}

/** Up to three tags for what stood out. */
export function TagsInput({ about, value, onValueChange }: TagsInputProps) {
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
