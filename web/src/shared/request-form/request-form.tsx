import { Urgency } from '@sought/contract/request-filters'
import { NewWantedItem } from '@sought/contract/requests'
import { type ReactNode, useEffect, useRef } from 'react'
import type { CallError } from '../../data/client.ts'
import { Button } from '../../ui/forms/button.tsx'
import { useContractForm } from '../forms/form.ts'
import { useMarket } from '../market/market.ts'
import { BudgetFields, TextFields, UrgencyField } from './request-form-fields.tsx'
import { PicturesField } from './request-form-pictures.tsx'
import { isFieldName, type RequestBody, type RequestFields, type RequestInput } from './request-form-state.ts'
import { type FormPicture, storedPicture, useFormPictures } from './request-form-upload.ts'

interface RequestFormProps {
  initial?: RequestFields | undefined
  /** The category of an existing request, which it keeps even if the market no longer has it. */
  ownCategory?: string | undefined
  submitLabel: string
  busy: boolean
  /** Why the server refused it. Issues with a field are shown at that field. */
  error: CallError | null
  onSubmit: (body: RequestBody) => void
  /** Called on every change, for the draft. */
  onChange?: ((fields: RequestFields) => void) | undefined
  /** Focuses the first field. */
  autoFocus?: boolean | undefined
  /** Shown next to the submit button. */
  aside?: ReactNode
}

/** The form for posting and for editing a request. */
export function RequestForm({
  initial = {},
  ownCategory,
  submitLabel,
  busy,
  error,
  onSubmit,
  onChange,
  autoFocus = false,
  aside,
}: RequestFormProps) {
  const categories = useCategories(ownCategory)
  const form = useContractForm(NewWantedItem, defaultsFrom(initial, categories))
  const pictures = useFormPictures(
    () => picturesOf(initial),
    (images) => form.setValue('images', images),
  )
  const pictureField = useRef<HTMLDivElement>(null)

  useEffect(() => {
    if (!onChange) return
    return form.subscribe({ formState: { values: true }, callback: ({ values }) => onChange(values) })
  }, [form, onChange])

  useEffect(() => {
    for (const [name, message] of issuesIn(error)) form.setError(name, { message })
  }, [form, error])

  useEffect(() => {
    if (autoFocus) form.setFocus('title')
  }, [form, autoFocus])

  const submit = form.handleSubmit(async ({ imageUrl, ...body }) => {
    if (!(await pictures.waitUntilDone())) {
      pictureField.current?.querySelector<HTMLElement>('[data-failed]')?.focus()
      return
    }
    if (imageUrl) pictures.addLink(imageUrl)
    form.setValue('imageUrl', '')
    onSubmit({ ...body, images: imagesOf(form.getValues('images')) })
  })

  return (
    <form onSubmit={submit} noValidate aria-label={submitLabel} className="grid gap-6">
      <TextFields form={form} categories={categories} />
      <BudgetFields form={form} />
      <UrgencyField form={form} />
      <div ref={pictureField}>
        <PicturesField form={form} pictures={pictures} />
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

function useCategories(own: string | undefined): readonly string[] {
  const { categories } = useMarket()
  return own === undefined || categories.includes(own) ? categories : [...categories, own]
}

function defaultsFrom(fields: RequestFields, categories: readonly string[]) {
  const given: Record<string, unknown> = { ...fields }
  return {
    ...Object.fromEntries(Object.keys(NewWantedItem.shape).map((name) => [name, given[name] ?? ''])),
    category: categories.find((name) => name === fields.category),
    // 0 means no minimum or an open budget, and is shown as an empty field.
    minBudget: fields.minBudget || undefined,
    maxBudget: fields.maxBudget || undefined,
    urgency: Urgency.safeParse(fields.urgency).data ?? 'medium',
    images: imagesOf(startingImages(fields)),
    imageUrl: linkIn(fields),
  }
}

const imagesOf = (images: RequestFields['images'] = []) => images.map(({ url, alt = '' }) => ({ url, alt }))

/** An earlier draft has one picture. */
const startingImages = ({ images = [], imageUrl }: RequestFields): RequestFields['images'] =>
  images.length === 0 && imageUrl?.startsWith('/files/') ? [{ url: imageUrl }] : images

/** The link in a draft that is not among its pictures yet. */
function linkIn(fields: RequestFields): string {
  const isAdded = startingImages(fields)?.some(({ url }) => url === fields.imageUrl)
  return isAdded ? '' : (fields.imageUrl ?? '')
}

/** Copies of pictures on other sites are matched by position, unless one is missing. */
function picturesOf(fields: RequestFields): FormPicture[] {
  const images = imagesOf(startingImages(fields))
  const copies = fields.pictures?.length === images.length ? fields.pictures : []
  return images.map((image, at) => storedPicture(image, copies[at]?.url ?? null))
}

function issuesIn(error: CallError | null): [keyof RequestInput, string][] {
  if (error?.code === 'image_not_found') return [['images', error.userMessage ?? '']]
  return (error?.issues ?? []).flatMap(({ path, message }) => {
    const [name = ''] = path.split('.')
    return isFieldName(name) ? [[name, message]] : []
  })
}
