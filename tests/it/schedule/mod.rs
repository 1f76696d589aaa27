//! Schedules: order, registration, failures, and where commands of every kind of system end.

mod commands;
mod failures;
mod instances;
mod order;
mod readers;
mod refusals;
mod registration;
