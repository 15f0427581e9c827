import type { CurrentUser } from '@sought/contract/accounts'
import { SELLING_KEYWORDS_MAX } from '@sought/contract/constants'
import { Keyword, updateSelling } from '@sought/contract/selling'
import { X } from 'lucide-react'
import { type FormEvent, type KeyboardEvent, useState } from 'react'
import { explainFailure, useAction } from '../../../data/use-action.ts'
import { useMarket } from '../../../shared/market/market.ts'
import { Button } from '../../../ui/forms/button.tsx'
import { Chip } from '../../../ui/forms/chip.tsx'
import { IconButton } from '../../../ui/forms/icon-button.tsx'
import { TextField } from '../../../ui/forms/text-field.tsx'
import { useSetCurrentUser } from '../use-set-current-user.ts'

/** The user's keywords and categories as a seller. */
export function SellingForm({ user }: { user: CurrentUser }) {
  const market = useMarket()
  const form = useSellingForm(user, market.categories)
  const setCurrentUser = useSetCurrentUser()
  const { run, isPending } = useAction(updateSelling, {
    success: { title: 'Saved', description: 'Your home page shows the requests that match.' },
    failure: explainFailure('Failed to save what you sell'),
    onDone: (selling) => setCurrentUser({ ...user, selling }),
  })
  const save = (event: FormEvent) => {
    event.preventDefault()
    // Also includes text that is typed but not added yet.
    const keywords = form.add()
    if (keywords) void run({ body: { keywords, categories: form.categories } })
  }
  return (
    <form noValidate aria-label="What you sell" onSubmit={save} className="grid gap-5">
      <Keywords form={form} />
      <fieldset>
        <legend className="mb-2 font-strong">Categories</legend>
        <div className="flex flex-wrap gap-2">
          {market.categories.map((category) => (
            <Chip
              key={category}
              pressed={form.categories.includes(category)}
              onClick={() => form.toggle(category)}
            >
              {category}
            </Chip>
          ))}
        </div>
      </fieldset>
      <Button type="submit" busy={isPending} className="justify-self-start">
        Save
      </Button>
    </form>
  )
}

type Form = ReturnType<typeof useSellingForm>

function Keywords({ form }: { form: Form }) {
  const addOnEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== ',') return
    if (event.key === 'Enter' && form.text.trim() === '') return
    event.preventDefault()
    form.add()
  }
  return (
    <div className="grid gap-3">
      <TextField
        label="Keywords"
        placeholder="Such as: vintage camera"
        hint={`Press Enter after each one. Up to ${SELLING_KEYWORDS_MAX}.`}
        error={form.error}
        value={form.text}
        onChange={({ target }) => form.setText(target.value)}
        onKeyDown={addOnEnter}
        autoComplete="off"
        enterKeyHint="done"
      />
      {form.keywords.length > 0 && (
        <ul aria-label="Your keywords" className="flex flex-wrap gap-2">
          {form.keywords.map((keyword) => (
            <li
              key={keyword}
              className="inline-flex max-w-full items-center rounded-control border border-line-strong pl-3.5"
            >
              <span className="min-w-0 [overflow-wrap:anywhere]">{keyword}</span>
              <IconButton size="sm" label={`Remove ${keyword}`} onClick={() => form.remove(keyword)}>
                <X aria-hidden="true" />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function useSellingForm({ selling }: CurrentUser, known: readonly string[]) {
  const [keywords, setKeywords] = useState(selling.keywords)
  const [categories, setCategories] = useState(() =>
    known.filter((category) => selling.categories.includes(category)),
  )
  const [text, setText] = useState('')
  const [error, setError] = useState<string>()

  /** Adds the typed keyword, if any, and returns all keywords. Undefined if it is invalid. */
  function add(): string[] | undefined {
    if (text.trim() === '') return keywords
    const { success, data: keyword = '', error } = Keyword.safeParse(text)
    const others = keywords.filter((it) => it.toLowerCase() !== keyword.toLowerCase())
    if (!success || others.length === SELLING_KEYWORDS_MAX) {
      setError(error?.issues[0]?.message ?? `You can add up to ${SELLING_KEYWORDS_MAX} keywords`)
      return undefined
    }
    const all = [...others, keyword]
    setKeywords(all)
    setText('')
    setError(undefined)
    return all
  }

  return {
    keywords,
    categories,
    text,
    error,
    add,
    setText: (value: string) => {
      setText(value)
      setError(undefined)
    },
    remove: (keyword: string) => setKeywords(keywords.filter((it) => it !== keyword)),
    toggle: (category: string) =>
      setCategories(
        categories.includes(category)
          ? categories.filter((it) => it !== category)
          : [...categories, category],
      ),
  }
}
