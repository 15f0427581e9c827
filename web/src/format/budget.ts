export { formatBudget } from '@sought/contract/money'
