import { Skeleton } from '../../ui/feedback/skeleton.tsx'

export function CardFormSkeleton({ fieldsOnly = false }: { fieldsOnly?: boolean }) {
  return (
    <div role="status" aria-label="Loading the payment form" className="grid gap-6">
      {!fieldsOnly && <Skeleton className="h-8 w-40" />}
      {!fieldsOnly && <Skeleton className="h-28" />}
      <div className="grid grid-cols-2 gap-4">
        <Skeleton className="col-span-2 h-17" />
        <Skeleton className="h-17" />
        <Skeleton className="h-17" />
      </div>
      <Skeleton className="h-38" />
      {!fieldsOnly && <Skeleton className="h-13" />}
    </div>
  )
}

export function AddressStepSkeleton() {
  return (
    <div role="status" aria-label="Loading the address form" className="grid gap-5">
      {['country', 'name', 'street', 'city'].map((key) => (
        <Skeleton key={key} className="h-16" />
      ))}
      <Skeleton className="h-12" />
    </div>
  )
}
