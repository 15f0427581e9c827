import { Category, NewWantedItem, Urgency } from '@sought/contract/requests'
import { type ReactNode, useEffect, useRef } from 'react'
import type { CallError } from '../../lib/client.ts'
import { useContractForm } from '../../lib/form.ts'
import { Button } from '../../ui/button.tsx'
import { BudgetFields, UrgencyField, WordsFields } from './request-form-fields.tsx'
import { PictureField } from './request-form-picture.tsx'
import type { RequestBody, RequestFields, Typed } from './request-form-state.ts'
import { usePictureUpload } from './request-form-upload.ts'

interface RequestFormProps {
  initial?: RequestFields | undefined
  submitLabel: string
  busy: boolean
  /** Why the server refused it. Issues with a field are shown at that field. */
  error: CallError | null
  onSubmit: (body: RequestBody) => void
  /** Told with every key, for a draft. */
  onChange?: ((fields: RequestFields) => void) | undefined
  /** Puts the focus on the first field. */
  focused?: boolean | undefined
  /** Beside the button that sends it. */
  aside?: ReactNode
}

/** What is wanted, for how much, where and when: one form to post it and to change it. */
export function RequestForm({
  initial = {},
  submitLabel,
  busy,
  error,
  onSubmit,
  onChange,
  focused = false,
  aside,
}: RequestFormProps) {
  const form = useContractForm(NewWantedItem, startingFrom(initial))
  const upload = usePictureUpload((imageUrl) => form.setValue('imageUrl', imageUrl))
  const pictureBox = useRef<HTMLDivElement>(null)

  useEffect(() => {
    if (!onChange) return
    return form.subscribe({ formState: { values: true }, callback: ({ values }) => onChange(values) })
  }, [form, onChange])

  useEffect(() => {
    for (const [name, message] of issuesIn(error)) form.setError(name, { message })
  }, [form, error])

  useEffect(() => {
    if (focused) form.setFocus('title')
  }, [form, focused])

  const submit = form.handleSubmit(async (body) => {
    if (await upload.settled()) onSubmit({ ...body, imageUrl: form.getValues('imageUrl') })
    else pictureBox.current?.querySelector('button')?.focus()
  })

  return (
    <form onSubmit={submit} noValidate aria-label={submitLabel} className="grid gap-6">
      <WordsFields form={form} />
      <BudgetFields form={form} />
      <UrgencyField form={form} />
      <div ref={pictureBox}>
        <PictureField form={form} upload={upload} />
      </div>
      <div className="flex flex-wrap items-center gap-3 pt-2 max-sm:flex-col max-sm:items-stretch">
        <Button type="submit" size="lg" busy={busy || form.formState.isSubmitting}>
          {submitLabel}
        </Button>
        {aside}
      </div>
    </form>
  )
}

function startingFrom(fields: RequestFields) {
  return {
    title: fields.title ?? '',
    description: fields.description ?? '',
    category: Category.safeParse(fields.category).data,
    // For 0 the field shows nothing: no minimum, or an open budget.
    minBudget: fields.minBudget || undefined,
    maxBudget: fields.maxBudget || undefined,
    location: fields.location ?? '',
    urgency: Urgency.safeParse(fields.urgency).data ?? 'medium',
    imageUrl: fields.imageUrl ?? '',
  }
}

const isField = (name: string): name is keyof Typed => name in NewWantedItem.shape

function issuesIn(error: CallError | null): [keyof Typed, string][] {
  if (error?.code === 'image_not_found') return [['imageUrl', error.userMessage ?? '']]
  return (error?.issues ?? []).flatMap(({ path, message }) => (isField(path) ? [[path, message]] : []))
}
