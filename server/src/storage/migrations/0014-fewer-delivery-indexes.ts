// The index by endpoint and state serves endpoints as such, too: one index less to write with every mirrored turn.
export const fewerDeliveryIndexes = ['DROP INDEX deliveries_by_webhook']
