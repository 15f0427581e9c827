import { CATEGORY_MAX_LENGTH } from '@sought/contract/constants'
import { ArrowDown, ArrowUp, Trash2 } from 'lucide-react'
import { useRef } from 'react'
import { Button } from '../../../ui/forms/button.tsx'
import { IconButton } from '../../../ui/forms/icon-button.tsx'
import { TextField } from '../../../ui/forms/text-field.tsx'
import { useSettingsForm } from './settings-form.ts'
import { type SectionProps, SettingsSection } from './settings-section.tsx'

interface Entry {
  key: number
  name: string
}

const swap = (entries: Entry[], index: number, other: number) =>
  entries.map((entry, at) => (at === index ? entries[other] : at === other ? entries[index] : entry) ?? entry)

/** The buttons at both ends stay enabled, because a disabled one would lose the focus. */
export function CategoriesSection({ settings }: SectionProps) {
  const form = useSettingsForm(
    { categories: settings.categories.map((name, key): Entry => ({ key, name })) },
    ({ categories }) => ({ categories: categories.map(({ name }) => name) }),
  )
  const { value: entries, onValueChange: setEntries, error } = form.control('categories')
  const nextKey = useRef(entries.length)
  const rename = (key: number, name: string) =>
    setEntries(entries.map((entry) => (entry.key === key ? { key, name } : entry)))
  const add = () => setEntries([...entries, { key: nextKey.current++, name: '' }])
  const list = useRef<HTMLOListElement>(null)
  const remove = (index: number) => {
    // The pressed button disappears, so the focus goes to the next category.
    const fields = list.current?.querySelectorAll('input')
    const neighbour = fields?.[index + 1] ?? fields?.[index - 1]
    neighbour?.focus()
    setEntries(entries.filter((_, at) => at !== index))
  }
  const move = (index: number, other: number) => {
    if (other >= 0 && other < entries.length) setEntries(swap(entries, index, other))
  }
  return (
    <SettingsSection
      title="Categories"
      lead="The board shows them in this order. After you rename or remove a category, its requests still show the old name. Search finds them, but no category page lists them."
      form={form}
      saveLabel="Save Categories"
    >
      <ol ref={list} className="grid gap-3">
        {entries.map(({ key, name }, index) => (
          <li
            key={key}
            className="flex flex-wrap items-end justify-end gap-x-2 max-sm:border-line max-sm:border-b sm:flex-nowrap"
          >
            <TextField
              label={`Category ${index + 1}`}
              hideLabel
              className="grow basis-full sm:basis-auto"
              maxLength={CATEGORY_MAX_LENGTH}
              autoFocus={key >= settings.categories.length}
              value={name}
              onChange={(event) => rename(key, event.target.value)}
            />
            <IconButton
              label={`Move ${name} up`}
              Icon={ArrowUp}
              aria-disabled={index === 0}
              className="aria-disabled:text-ink-soft"
              onClick={() => move(index, index - 1)}
            />
            <IconButton
              label={`Move ${name} down`}
              Icon={ArrowDown}
              aria-disabled={index === entries.length - 1}
              className="aria-disabled:text-ink-soft"
              onClick={() => move(index, index + 1)}
            />
            <IconButton
              label={`Remove ${name}`}
              Icon={Trash2}
              disabled={entries.length === 1}
              onClick={() => remove(index)}
            />
          </li>
        ))}
      </ol>
      {error && (
        <p role="alert" className="text-danger">
          {error}
        </p>
      )}
      <Button variant="secondary" className="justify-self-start" onClick={add}>
        Add Category
      </Button>
    </SettingsSection>
  )
}
