import type { CurrentUser } from '@sought/contract/accounts'
import { SELLING_KEYWORDS_MAX } from '@sought/contract/constants'
import { Keyword, updateSelling } from '@sought/contract/selling'
import { X } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import { explainFailure } from '../../../data/use-action.ts'
import { useContractForm } from '../../../shared/forms/contract-form.ts'
import type { EntryForm } from '../../../shared/forms/entry-form.ts'
import { Form } from '../../../shared/forms/form.tsx'
import { useMarket } from '../../../shared/market/market.ts'
import { Chip } from '../../../ui/forms/chip.tsx'
import { IconButton } from '../../../ui/forms/icon-button.tsx'
import { TextField } from '../../../ui/forms/text-field.tsx'
import { useSetCurrentUser } from '../use-set-current-user.ts'

/** The user's keywords and categories as a seller. */
export function SellingForm({ user }: { user: CurrentUser }) {
  const market = useMarket()
  const setCurrentUser = useSetCurrentUser()
  const form = useContractForm(updateSelling, {
    values: {
      typed: '',
      keywords: user.selling.keywords,
      categories: market.categories.filter((category) => user.selling.categories.includes(category)),
    },
    // Also includes text that is typed but not added yet.
    prepare: async (entered) => {
      const keywords = addTyped(form)
      return keywords ? { ...entered, keywords } : null
    },
    input: ({ keywords, categories }) => ({ body: { keywords, categories } }),
    success: { title: 'Saved', description: 'Your home page shows the requests that match.' },
    failure: explainFailure('Failed to save what you sell'),
    onDone: (selling) => setCurrentUser({ ...user, selling }),
  })
  const { value: chosen, onValueChange: choose } = form.control('categories')
  return (
    <Form form={form} name="What you sell" submitLabel="Save">
      <Keywords form={form} />
      <fieldset>
        <legend className="mb-2 font-strong">Categories</legend>
        <div className="flex flex-wrap gap-2">
          {market.categories.map((category) => (
            <Chip
              key={category}
              pressed={chosen.includes(category)}
              onClick={() =>
                choose(
                  chosen.includes(category) ? chosen.filter((it) => it !== category) : [...chosen, category],
                )
              }
            >
              {category}
            </Chip>
          ))}
        </div>
      </fieldset>
    </Form>
  )
}

type SellingForm = EntryForm<{ typed: string; keywords: string[]; categories: string[] }>

function Keywords({ form }: { form: SellingForm }) {
  const { value: keywords, onValueChange: changeKeywords } = form.control('keywords')
  const addOnEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== ',') return
    if (event.key === 'Enter' && form.getValues('typed').trim() === '') return
    event.preventDefault()
    addTyped(form)
  }
  return (
    <div className="grid gap-3">
      <TextField
        label="Keywords"
        placeholder="Such as: vintage camera"
        hint={`Press Enter after each one. Up to ${SELLING_KEYWORDS_MAX}.`}
        onKeyDown={addOnEnter}
        autoComplete="off"
        enterKeyHint="done"
        {...form.field('typed')}
      />
      {keywords.length > 0 && (
        <ul aria-label="Your keywords" className="flex flex-wrap gap-2">
          {keywords.map((keyword) => (
            <li
              key={keyword}
              className="inline-flex max-w-full items-center rounded-control border border-line-strong pl-3.5"
            >
              <span className="min-w-0 [overflow-wrap:anywhere]">{keyword}</span>
              <IconButton
                size="sm"
                label={`Remove ${keyword}`}
                Icon={X}
                onClick={() => changeKeywords(keywords.filter((it) => it !== keyword))}
              />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** Adds the typed keyword, if any, and returns all keywords. Undefined if it is invalid. */
function addTyped(form: SellingForm): string[] | undefined {
  const { typed, keywords } = form.getValues()
  if (typed.trim() === '') return keywords
  const { success, data: keyword = '', error } = Keyword.safeParse(typed)
  const others = keywords.filter((it) => it.toLowerCase() !== keyword.toLowerCase())
  if (!success || others.length === SELLING_KEYWORDS_MAX) {
    const message = error?.issues[0]?.message ?? `You can add up to ${SELLING_KEYWORDS_MAX} keywords`
    form.setError('typed', { message })
    return undefined
  }
  const all = [...others, keyword]
  form.setValue('keywords', all)
  form.setValue('typed', '')
  form.clearErrors()
  return all
}
