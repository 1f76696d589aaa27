use std::net::Ipv4Addr;
use tickweave_derive::Component;

#[derive(Component, Clone, Copy)]
#[repr(C)]
struct Empty {
    #[component(trust = " ")]
    address: Ipv4Addr,
}

#[derive(Component, Clone, Copy)]
#[repr(C)]
struct Missing {
    #[component(trust)]
    address: Ipv4Addr,
}

fn main() {}
