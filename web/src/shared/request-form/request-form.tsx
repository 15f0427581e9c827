import type { InputOf, ReplyOf } from '@sought/contract/call'
import { Urgency } from '@sought/contract/request-filters'
import { NewWantedItem } from '@sought/contract/requests'
import { type ReactNode, useEffect, useRef } from 'react'
import { type ActionOptions, failureToast } from '../../data/use-action.ts'
import { useContractForm } from '../forms/contract-form.ts'
import { Form } from '../forms/form.tsx'
import { useCurrencies } from '../market/currency.ts'
import { useMarket } from '../market/market.ts'
import { keepLastCurrency, readLastCurrency } from './last-currency.ts'
import { BudgetFields, TextFields, UrgencyField } from './request-form-fields.tsx'
import { PicturesField } from './request-form-pictures.tsx'
import type { RequestBody, RequestCall, RequestFields, RequestFormState } from './request-form-state.ts'
import { type FormPicture, storedPicture, useFormPictures } from './request-form-upload.ts'

interface RequestFormProps<C extends RequestCall> {
  call: C
  input: (body: RequestBody) => InputOf<C>
  /** The texts of both outcomes, and what happens then. */
  outcome: ActionOptions<RequestBody, ReplyOf<C>>
  initial?: RequestFields | undefined
  /** The category of an existing request, which it keeps even if the market no longer has it. */
  ownCategory?: string | undefined
  submitLabel: string
  /** Called on every change, for the draft. */
  onChange?: ((fields: RequestFields) => void) | undefined
  /** Focuses the first field. */
  autoFocus?: boolean | undefined
  /** Shown next to the submit button. */
  aside?: ReactNode
}

/** The form for posting and for editing a request. */
export function RequestForm<C extends RequestCall>({
  call,
  input,
  outcome,
  initial = {},
  ownCategory,
  submitLabel,
  onChange,
  autoFocus = false,
  aside,
}: RequestFormProps<C>) {
  const categories = useCategories(ownCategory)
  const form = useContractForm(call, {
    ...outcome,
    schema: NewWantedItem,
    values: defaultsFrom(initial, categories),
    prepare: async ({ imageUrl, ...body }): Promise<RequestBody | null> => {
      if (!(await pictures.waitUntilDone())) {
        pictureField.current?.querySelector<HTMLElement>('[data-failed]')?.focus()
        return null
      }
      if (imageUrl) pictures.addLink(imageUrl)
      form.setValue('imageUrl', '')
      if (body.currency) keepLastCurrency(body.currency)
      return { ...body, images: imagesOf(form.getValues('images')) }
    },
    input,
    failure: (error) => {
      if (error.code === 'image_not_found') form.setError('images', { message: error.userMessage ?? '' })
      return failureToast(outcome.failure, error)
    },
  })
  const pictures = useFormPictures(
    () => picturesOf(initial),
    (images) => form.setValue('images', images),
  )
  const pictureField = useRef<HTMLDivElement>(null)
  const { subscribe, setFocus } = form
  useStartingCurrency(form)

  useEffect(() => {
    if (!onChange) return
    return subscribe({ formState: { values: true }, callback: ({ values }) => onChange(values) })
  }, [subscribe, onChange])

  useEffect(() => {
    if (autoFocus) setFocus('title')
  }, [setFocus, autoFocus])

  return (
    <Form form={form} name={submitLabel} className="gap-6" submitLabel={submitLabel} size="lg" aside={aside}>
      <TextFields form={form} categories={categories} />
      <BudgetFields form={form} />
      <UrgencyField form={form} />
      <div ref={pictureField}>
        <PicturesField form={form} pictures={pictures} />
      </div>
    </Form>
  )
}

/** Chooses a currency as soon as the market's are loaded. A market with one currency does not ask for it. */
function useStartingCurrency({ getValues, setValue }: RequestFormState): void {
  const currencies = useCurrencies()
  const start = currencies.length > 1 ? (readLastCurrency(currencies) ?? currencies[0]) : undefined
  useEffect(() => {
    if (!getValues('currency')) setValue('currency', start)
  }, [start, getValues, setValue])
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
    currency: fields.currency,
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
