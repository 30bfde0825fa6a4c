# The program in an image of its own: docker build -t gossamer . && docker run --rm -v "$PWD":/work gossamer run model.yaml
# Not built by the tests: they have no engine for it.
FROM debian:12 AS build
COPY . /src
RUN cd /src && script/setup && apt-get install -y --no-install-recommends dpkg-dev file && script/build && cd build && cpack
FROM debian:12-slim
COPY --from=build /src/build/*.deb /tmp/
RUN apt-get update && apt-get install -y --no-install-recommends /tmp/gossamer_*.deb && rm -rf /tmp/*.deb /var/lib/apt/lists/*
WORKDIR /work
ENTRYPOINT ["gossamer"]
