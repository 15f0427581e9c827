import { lazy, type ReactNode, Suspense, useEffect, useRef } from 'react'
import { classNames } from '../../ui/base/class-names.ts'
import { Notice } from '../../ui/feedback/notice.tsx'
import { Button, type ButtonProps } from '../../ui/forms/button.tsx'
import type { FormState } from './entry-form.ts'

/** Loaded lazily, because few forms have a confirmation dialog. */
const ConfirmDialog = lazy(async () => ({
  default: (await import('../../ui/overlays/confirm-dialog.tsx')).ConfirmDialog,
}))

export interface FormProps extends Pick<ButtonProps, 'variant' | 'size' | 'disabled' | 'wide'> {
  form: FormState
  /** The name of the form for screen readers. */
  name?: string | undefined
  submitLabel: ReactNode
  /** Content beside the submit button, or below it if the button is wide. */
  aside?: ReactNode
  className?: string | undefined
  children: ReactNode
}

/** A form on a page: the fields, errors that belong to no field, and the submit button. */
export function Form({ submitLabel, aside, variant, size, disabled, wide, children, ...form }: FormProps) {
  const buttons = (
    <>
      <Button type="submit" busy={form.form.isBusy} {...{ variant, size, disabled, wide }}>
        {submitLabel}
      </Button>
      {aside}
    </>
  )
  return (
    <FormFields
      {...form}
      buttons={
        wide ? (
          buttons
        ) : (
          <div
            className={classNames(
              'flex flex-wrap items-center gap-3',
              size === 'lg' && 'max-sm:flex-col max-sm:items-stretch',
            )}
          >
            {buttons}
          </div>
        )
      }
    >
      {children}
    </FormFields>
  )
}

interface FormFieldsProps extends Pick<FormProps, 'form' | 'name' | 'className' | 'children'> {
  id?: string
  buttons?: ReactNode
}

/** A form without a submit button, for dialogs that have their own buttons. */
export function FormFields({ form, id, name, className = 'gap-5', buttons, children }: FormFieldsProps) {
  const element = useRef<HTMLFormElement>(null)
  const { failureCount, question, problem } = form
  useEffect(() => {
    if (failureCount > 0) element.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [failureCount])
  return (
    <form
      ref={element}
      id={id}
      noValidate
      aria-label={name}
      onSubmit={form.submit}
      className={classNames('grid grid-cols-[minmax(0,1fr)]', className)}
    >
      {children}
      {problem && (
        <Notice tone="danger" live>
          {problem}
        </Notice>
      )}
      {buttons}
      {question && (
        <Suspense>
          <ConfirmDialog open {...question} />
        </Suspense>
      )}
    </form>
  )
}
