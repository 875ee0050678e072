# The chess engine under a name of choice, as test benches such as OpenBench ask for it: make EXE=name
EXE ?= quintet-chess
ifeq ($(OS),Windows_NT)
    SUFFIX := .exe
else ifeq ($(shell uname -s),Linux)
    STRIP := scripts/strip $(EXE)
endif

# With TUNE=1 the numbers of the search are options, as a tuning by a test bench wants them.
ifdef TUNE
    FEATURES := --features tune
endif

all:
	cargo build --release --target-dir target -p quintet-chess $(FEATURES)
	cp target/release/quintet-chess$(SUFFIX) $(EXE:$(SUFFIX)=)$(SUFFIX)
	$(STRIP)

.PHONY: all
